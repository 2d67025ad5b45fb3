package io.plat.tests.hostile;

import java.util.List;
import java.util.Random;

/** Generates hostile HTTP/1.1 requests: smuggling, paths, header fields, trailers, upgrades, chunks and bodies. */
final class Http1Requests {
    static final String CLOSED_OBJECT = "/api/v1/namespaces/closed/configmaps/secret";
    static final String OPEN_LIST = "/api/v1/namespaces/open/configmaps";

    private static final String SMUGGLED = "GET " + CLOSED_OBJECT + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String[] METHODS = {
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
        "TRACE",
        "CONNECT",
        "get",
        "G\u0000ET",
        "PRI",
        "",
        "A".repeat(300)
    };

    private static final String[] LENGTH_FIELDS = {
        "Content-Length: %d\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: %d",
        "Content-Length: %d\r\nContent-Length: 0",
        "Content-Length: 0\r\nContent-Length: %d",
        "Content-Length: %d, 0",
        "Content-Length: +%d",
        "Content-Length: -%d",
        "Content-Length: 0x%x",
        "Content-Length : %d",
        " Content-Length: %d",
        "Content-Length:\r\n %d",
        "Content-Length: %d99999999999999999999",
        "Transfer-Encoding: xchunked\r\nContent-Length: %d",
        "Transfer-Encoding: chunked, identity\r\nContent-Length: %d",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\u000bchunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
        "Transfer-Encoding: \"chunked\"",
        "X: y\nTransfer-Encoding: chunked",
        "X: y\rContent-Length: %d",
    };

    private static final String[] FIELDS = {
        "X-Remote-User: admin\r\nX-Remote-Group: system:masters",
        "Impersonate-User: admin",
        "Impersonate-User: admin\r\nImpersonate-Group: system:masters",
        "Impersonate-Group: system:masters",
        "Impersonate-Extra-%zz: x",
        "X-Forwarded-User: admin",
        "X-Forwarded-Client-Cert: Subject=\"O=system:masters\"",
        "X-Original-URL: /version",
        "X-HTTP-Method-Override: GET",
        "Authorization: Bearer %s",
        "Authorization: Bearer a\r\nAuthorization: Bearer b",
        "Authorization: Basic YWRtaW46YWRtaW4=",
        "Host: evil\r\nHost: localhost",
        "Accept: */*;q=2, \u00ff/\u00fe",
        "Accept:",
        "Accept: application/json;as=Table;v=v1;g=meta.k8s.io, " + "a/b,".repeat(500),
        "Accept-Encoding: gzip;q=-1, *;q=9",
        "Range: bytes=0-,1-,2-",
        "Expect: 100-continue",
        "Expect: 200-maybe",
        "If-None-Match: *",
        "Connection: close, Authorization, Host",
        "Cookie: " + "a=b;".repeat(2000),
        "X: " + "y".repeat(70_000),
        "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.%s",
        "\u0000: x",
        "no colon",
        ": empty name",
        "X-\u00e9: \u0001",
    };

    private static final String[] TRAILERS = {
        "Authorization: Bearer x",
        "Content-Length: 3",
        "Host: evil",
        "Impersonate-User: admin",
        "Transfer-Encoding: chunked",
        "X: " + "y".repeat(9_000)
    };

    private static final String[] CHUNKS = {
        "5;a=b\r\nhello\r\n0\r\n\r\n",
        "5;" + "x".repeat(9_000) + "\r\nhello\r\n0\r\n\r\n",
        "ffffffffffffffff\r\nhello",
        "-5\r\nhello\r\n0\r\n\r\n",
        "0x5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello0\r\n\r\n",
        "5\nhello\n0\n\n",
        "00000000000000000000005\r\nhello\r\n0\r\n\r\n",
        "5 \r\nhello\r\n0\r\n\r\n",
        "5;\u0000\r\nhello\r\n0\r\n\r\n",
        "1\r\na\r\n".repeat(3000) + "0\r\n\r\n",
        "\r\n0\r\n\r\n",
    };

    private static final String[] UPGRADES = {
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: x",
        "Connection: Upgrade\r\nUpgrade: websocket",
        "Connection: Upgrade\r\nUpgrade: SPDY/3.1",
        "Connection: Upgrade\r\nUpgrade: TLS/1.0",
        "Upgrade: " + "websocket,".repeat(300),
    };

    private Http1Requests() {}

    static HostileRequest random(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> smuggling(random);
            case 1 -> of("path", "GET " + HostilePaths.random(random) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", true);
            case 2 -> of("header field", plain("GET", CLOSED_OBJECT, pick(random, FIELDS)), true);
            case 3 ->
                of(
                        "trailer",
                        chunked(CLOSED_OBJECT, "5\r\nhello\r\n0\r\n" + pick(random, TRAILERS) + "\r\n\r\n"),
                        true);
            case 4 -> of("chunk", chunked(OPEN_LIST + "?dryRun=All", pick(random, CHUNKS) + SMUGGLED), false);
            case 5 -> of("upgrade", plain("GET", CLOSED_OBJECT, pick(random, UPGRADES)) + SMUGGLED, true);
            case 6 -> of("method", plain(pick(random, METHODS), CLOSED_OBJECT, pick(random, FIELDS)), true);
            default -> body(random);
        };
    }

    private static HostileRequest smuggling(Random random) {
        String field = pick(random, LENGTH_FIELDS);
        field = field.contains("%") ? field.formatted(random.nextBoolean() ? SMUGGLED.length() : 5) : field;
        String chunks = random.nextBoolean() ? "0\r\n\r\n" : "";
        String front = List.of("GET /version", "POST " + OPEN_LIST + "?dryRun=All", "GET " + OPEN_LIST)
                .get(random.nextInt(3));
        return of(
                "smuggling",
                front + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + field + "\r\n\r\n"
                        + chunks + SMUGGLED,
                false);
    }

    private static HostileRequest body(Random random) {
        HostileBodies.Body body = HostileBodies.random(random);
        boolean patch = body.type().contains("patch");
        String lie = random.nextInt(4) == 0 ? "1" : "";
        String head = (patch ? "PATCH " + OPEN_LIST + "/note" : "POST " + OPEN_LIST) + "?dryRun=All"
                + (body.type().contains("apply") ? "&fieldManager=x" : "")
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + body.type()
                + (body.encoding().isEmpty() ? "" : "\r\nContent-Encoding: " + body.encoding())
                + "\r\nContent-Length: " + body.bytes().length + lie + "\r\n\r\n";
        return of("body " + body.type(), head + body.text(), false);
    }

    private static String plain(String method, String target, String field) {
        return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + field + "\r\n\r\n";
    }

    private static String chunked(String target, String chunks) {
        return "POST " + target
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunks;
    }

    private static HostileRequest of(String family, String text, boolean forbidden) {
        return new HostileRequest(family, HostileRequest.Protocol.HTTP_1_1, text, forbidden);
    }

    static String pick(Random random, String[] texts) {
        return texts[random.nextInt(texts.length)];
    }

    static String[] pick(String[][] fields, Random random) {
        return fields[random.nextInt(fields.length)];
    }
}
