package io.plat.tests.hostile;

import java.util.ArrayList;
import java.util.List;

/** Generates requests with an empty, malformed or unusual {@code Content-Type} or {@code Accept}. */
final class MediaTypeFields {
    /** Each of these receives 415 as a {@code Content-Type}. */
    static final List<String> MALFORMED = List.of(
            "",
            " ",
            "\t",
            ";",
            ";;",
            ",",
            "/",
            "*",
            "json",
            "/json",
            "application/",
            "application/json/json",
            "application /json",
            "application/json json",
            "application/json;;charset",
            "application/json;charset",
            "application/json;charset=",
            "application/json;=utf-8",
            "application/json; =",
            "application/json;charset=\"",
            "application/json;charset=\"utf-8",
            "application/json;charset=\"\\",
            "application/json;charset=utf 8",
            "application/json,",
            "application/json, application/json",
            "application/json\r\nContent-Type: application/json",
            "application/json\r\nContent-Type: text/plain",
            "\"application/json\"",
            "\"",
            "(application)/json",
            "application/json\\",
            "application/\u00e9",
            "\u00ff\u00fe/\u00fd",
            "{}/[]",
            "application/json;" + "a=b;".repeat(5_000) + "=");

    /** Well-formed, or accepted by lenient parsing. */
    private static final List<String> ODD = List.of(
            "application/json;",
            "application/json ; charset=\"utf-16\"",
            "application/json;charset=nope;charset=nope",
            "application/json;q=",
            "application/json;q=x",
            "application/json;q=-1",
            "application/json;q=99999999999999999999999999",
            "application/json;q=NaN",
            "application/json;q=1e999",
            "*/*;q=0",
            "application/json;as=;g=;v=",
            "application/json;as=Table;v=v99999999999;g=meta.k8s.io",
            "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
            "application/vnd.kubernetes.protobuf;stream=watch",
            "application/yaml;stream=watch",
            "application/json;a=" + "b".repeat(20_000),
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=",
            "a/b,".repeat(5_000));

    private MediaTypeFields() {}

    /** Sends each value in either field, and in both, with and without a body. */
    static List<HostileRequest> requests(String method, String path, String body) {
        var values = new ArrayList<>(MALFORMED);
        values.addAll(ODD);
        var requests = new ArrayList<HostileRequest>();
        for (String value : values) {
            for (String fields : List.of(
                    "Accept: " + value + (body.isEmpty() ? "" : "\r\nContent-Type: application/json"),
                    "Content-Type: " + value,
                    "Content-Type: " + value + "\r\nAccept: " + value.replace("Content-Type", "Accept"))) {
                requests.add(new HostileRequest(
                        "media types", HostileRequest.Protocol.HTTP_1_1, request(method, path, fields, body), false));
            }
        }
        return requests;
    }

    static String request(String method, String path, String fields, String body) {
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + fields
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }
}
