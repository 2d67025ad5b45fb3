package io.plat.tests.hostile;

import static io.plat.http.testing.RawHttp2.DATA;
import static io.plat.http.testing.RawHttp2.END_HEADERS;
import static io.plat.http.testing.RawHttp2.END_STREAM;
import static io.plat.http.testing.RawHttp2.HEADERS;
import static io.plat.http.testing.RawHttp2.PING;
import static io.plat.http.testing.RawHttp2.RST_STREAM;
import static io.plat.http.testing.RawHttp2.SETTINGS;
import static io.plat.http.testing.RawHttp2.WINDOW_UPDATE;
import static io.plat.http.testing.RawHttp2.frame;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Generates hostile sequences of HTTP/2 frames (RFC 9113): floods, resets, malformed header blocks and requests. */
final class Http2Requests {
    private static final int PRIORITY = 2;
    private static final int PUSH_PROMISE = 5;
    private static final int CONTINUATION = 9;
    private static final int PADDED = 8;
    private static final int FLOOD = 400;

    private static final String[][] PSEUDO = {
        {
            ":method",
            "GET",
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            Http1Requests.CLOSED_OBJECT
        },
        {
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            "/version",
            ":path",
            Http1Requests.CLOSED_OBJECT
        },
        {":scheme", "https", ":authority", "localhost", ":path", Http1Requests.CLOSED_OBJECT},
        {":method", "GET", ":scheme", "https", ":authority", "localhost", ":path", ""},
        {":method", "GET", "x", "y", ":scheme", "https", ":authority", "localhost", ":path", Http1Requests.CLOSED_OBJECT
        },
        {":method", "CONNECT", ":authority", "localhost:1"},
        {
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            Http1Requests.CLOSED_OBJECT
        },
        {":method", "GET", ":scheme", "javascript", ":authority", "", ":path", Http1Requests.CLOSED_OBJECT},
        {":method", "GET", ":scheme", "https", ":authority", "a b", ":path", Http1Requests.CLOSED_OBJECT},
        {
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            "api/v1/namespaces/closed/configmaps/secret"
        },
        {":method", "G T", ":scheme", "https", ":authority", "localhost", ":path", Http1Requests.CLOSED_OBJECT},
        {
            ":status",
            "200",
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            "localhost",
            ":path",
            Http1Requests.CLOSED_OBJECT
        },
    };

    private static final String[][] FIELDS = {
        {"Host", "UPPER"},
        {"connection", "close"},
        {"transfer-encoding", "chunked"},
        {"te", "gzip"},
        {"content-length", "99"},
        {"content-length", "-1"},
        {"host", "evil"},
        {"x-remote-user", "admin"},
        {"impersonate-user", "admin"},
        {"impersonate-group", "system:masters"},
        {"", "empty"},
        {"a\r\nhost: b", "c"},
        {"x", "a\r\nimpersonate-user: admin"},
        {"x", "\u0000"},
        {"cookie", "a=b;".repeat(500)},
        {"x", "y".repeat(15_000)},
    };

    private Http2Requests() {}

    static HostileRequest random(Random random) {
        return switch (random.nextInt(11)) {
            case 0 -> of("odd pseudo fields", headers(1, END_STREAM, block(Http1Requests.pick(PSEUDO, random))), true);
            case 1 ->
                of(
                        "odd fields",
                        headers(1, END_STREAM, join(closed(), block(Http1Requests.pick(FIELDS, random)))),
                        true);
            case 2 -> of("path", headers(1, END_STREAM, request("GET", HostilePaths.random(random))), true);
            case 3 -> of("rapid reset", rapidReset(random), true);
            case 4 -> of("continuation flood", continuations(random), true);
            case 5 -> of("made you reset", madeYouReset(random), true);
            case 6 -> of("control flood", flood(random), true);
            case 7 -> of("broken header block", headers(1, END_STREAM, noise(random, 1 + random.nextInt(60))), true);
            case 8 -> of("table bomb", tableBomb(random), true);
            case 9 -> of("odd frame", oddFrame(random), true);
            default -> body(random);
        };
    }

    private static byte[] rapidReset(Random random) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 1 + random.nextInt(FLOOD); i++) {
            bytes.writeBytes(headers(2 * i + 1, END_STREAM, closed()));
            bytes.writeBytes(frame(RST_STREAM, 0, 2 * i + 1, integer(8)));
        }
        return bytes.toByteArray();
    }

    /** An endless header block (CVE-2024-27316). */
    private static byte[] continuations(Random random) {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(frame(HEADERS, END_STREAM, 1, closed()));
        for (int i = 0; i < 1 + random.nextInt(FLOOD); i++) {
            bytes.writeBytes(
                    frame(CONTINUATION, 0, 1, random.nextBoolean() ? new byte[0] : block("x", "y".repeat(400))));
        }
        return bytes.toByteArray();
    }

    /** Frames that cause the server to reset streams while it still processes their requests (CVE-2025-8671). */
    private static byte[] madeYouReset(Random random) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 1 + random.nextInt(FLOOD); i++) {
            int stream = 2 * i + 1;
            bytes.writeBytes(headers(stream, END_STREAM, closed()));
            bytes.writeBytes(
                    switch (random.nextInt(4)) {
                        case 0 -> frame(WINDOW_UPDATE, 0, stream, integer(0));
                        case 1 -> frame(WINDOW_UPDATE, 0, stream, integer(Integer.MAX_VALUE));
                        case 2 -> frame(DATA, 0, stream, (byte) 1);
                        default -> frame(PRIORITY, 0, stream, (byte) 1);
                    });
        }
        return bytes.toByteArray();
    }

    private static byte[] flood(Random random) {
        byte[] one = switch (random.nextInt(6)) {
            case 0 -> frame(PING, 0, 0, new byte[8]);
            case 1 -> frame(SETTINGS, 0, 0);
            case 2 -> frame(PRIORITY, 0, 1, (byte) 0, (byte) 0, (byte) 0, (byte) 3, (byte) 9);
            case 3 -> frame(WINDOW_UPDATE, 0, 0, integer(1));
            case 4 -> frame(RST_STREAM, 0, 1, integer(8));
            default -> frame(DATA, 0, 1);
        };
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(headers(1, 0, closed()));
        for (int i = 0; i < FLOOD; i++) {
            bytes.writeBytes(one);
        }
        return bytes.toByteArray();
    }

    /** Repeated references to a large entry of the dynamic table (RFC 7541, 7.3). */
    private static byte[] tableBomb(Random random) {
        var block = new ByteArrayOutputStream();
        block.writeBytes(closed());
        block.write(0x40);
        string(block, "x");
        string(block, "y".repeat(3_000));
        for (int i = 0; i < 1 + random.nextInt(10_000); i++) {
            block.write(0x80 | 62);
        }
        return headers(1, END_STREAM, block.toByteArray());
    }

    private static byte[] oddFrame(Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> frame(HEADERS, END_HEADERS | END_STREAM, 0, closed());
            case 1 -> frame(HEADERS, END_HEADERS | END_STREAM, 2, closed());
            case 2 -> frame(DATA, END_STREAM, 7, new byte[10]);
            case 3 -> frame(PUSH_PROMISE, END_HEADERS, 1, closed());
            case 4 -> frame(DATA, PADDED, 1, (byte) 200, (byte) 0);
            case 5 -> frame(SETTINGS, 0, 0, new byte[5]);
            case 6 ->
                frame(
                        SETTINGS,
                        0,
                        0,
                        ByteBuffer.allocate(6).putShort((short) 4).putInt(-1).array());
            case 7 ->
                frame(random.nextInt(256), random.nextInt(256), random.nextInt(5), noise(random, random.nextInt(40)));
            default -> join(headers(1, END_STREAM, closed()), headers(1, END_STREAM, closed()));
        };
    }

    private static HostileRequest body(Random random) {
        HostileBodies.Body body = HostileBodies.random(random);
        byte[] head = join(
                request("POST", Http1Requests.OPEN_LIST + "?dryRun=All"),
                block("content-type", body.type()),
                body.encoding().isEmpty() ? new byte[0] : block("content-encoding", body.encoding()),
                random.nextBoolean() ? new byte[0] : block("content-length", Integer.toString(random.nextInt(100))));
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(headers(1, 0, head));
        int sent = 0;
        int most = Math.min(body.bytes().length, 60_000);
        while (sent < most) {
            int size = Math.min(16_000, most - sent);
            bytes.writeBytes(frame(DATA, 0, 1, Arrays.copyOfRange(body.bytes(), sent, sent + size)));
            sent += size;
        }
        bytes.writeBytes(frame(DATA, END_STREAM, 1));
        return of("body " + body.type(), bytes.toByteArray(), false);
    }

    /** Splits a header block into frames. */
    private static byte[] headers(int stream, int flags, byte[] block) {
        var bytes = new ByteArrayOutputStream();
        int type = HEADERS;
        int sent = 0;
        do {
            int size = Math.min(16_000, block.length - sent);
            int end = sent + size == block.length ? END_HEADERS : 0;
            bytes.writeBytes(frame(
                    type, end | (type == HEADERS ? flags : 0), stream, Arrays.copyOfRange(block, sent, sent + size)));
            type = CONTINUATION;
            sent += size;
        } while (sent < block.length);
        return bytes.toByteArray();
    }

    private static byte[] closed() {
        return request("GET", Http1Requests.CLOSED_OBJECT);
    }

    private static byte[] request(String method, String path) {
        return block(":method", method, ":scheme", "https", ":authority", "localhost", ":path", path);
    }

    /** Literal fields without indexing (RFC 7541, 6.2.2). */
    private static byte[] block(String... namesAndValues) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            string(block, namesAndValues[i]);
            string(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    private static void string(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int rest = bytes.length - 127;
            for (; rest > 127; rest >>= 7) {
                block.write((rest & 0x7f) | 0x80);
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    private static byte[] integer(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] noise(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        var bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    private static HostileRequest of(String family, byte[] frames, boolean forbidden) {
        return new HostileRequest("HTTP/2 " + family, HostileRequest.Protocol.HTTP_2, frames, forbidden);
    }
}
