package io.plat.cli.drill;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Fault of a webhook.
 *
 * @param behaviour its behaviour after the review was read
 * @param code the status code; 0 if the body is everything that it writes
 * @param missing the number of bytes of the body that it announces and does not write
 * @param body the body, in which {@code VERSION} is replaced by the version of the review
 */
record WebhookFault(String name, Certificate certificate, Behaviour behaviour, int code, int missing, String body) {
    private static final String ALLOWED = review("{\"allowed\":true}");

    /** Certificate of the handshake; NONE disables TLS. */
    enum Certificate {
        VALID("right-certificate"),
        WRONG_NAME("wrong-san"),
        EXPIRED("expired-certificate"),
        NOT_YET_VALID("certificate-not-yet-valid"),
        UNTRUSTED("untrusted-certificate"),
        NONE("plain-http");

        private final String fault;

        Certificate(String fault) {
            this.fault = fault;
        }
    }

    /** Behaviour of a connection after the review was read. */
    enum Behaviour {
        ANSWER,
        SILENT,
        TRICKLE,
        RESET,
        CLOSE
    }

    private static WebhookFault answering(String name, int code, String body) {
        return new WebhookFault(name, Certificate.VALID, Behaviour.ANSWER, code, 0, body);
    }

    /** Returns a healthy webhook that allows. */
    static WebhookFault allowing() {
        return answering("allowing", 200, ALLOWED);
    }

    /** Returns a healthy webhook that denies. */
    static WebhookFault denying() {
        return answering("denying", 200, review("{\"allowed\":false,\"reason\":\"drill\"}"));
    }

    static List<WebhookFault> all() {
        List<WebhookFault> faults = new ArrayList<>();
        faults.add(new WebhookFault("no-answer", Certificate.VALID, Behaviour.SILENT, 0, 0, ""));
        faults.add(new WebhookFault("slow-body", Certificate.VALID, Behaviour.TRICKLE, 200, 0, ALLOWED));
        faults.add(new WebhookFault("reset", Certificate.VALID, Behaviour.RESET, 0, 0, ""));
        faults.add(new WebhookFault("closed", Certificate.VALID, Behaviour.CLOSE, 0, 0, ""));
        faults.add(answering("garbage", 0, "allowed: true\n".repeat(100)));
        FaultTable.rows("webhook-faults.txt").forEach(row -> faults.add(parse(row)));
        faults.add(answering(
                "redirect",
                0,
                "HTTP/1.1 307 Drill\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
        for (Certificate certificate : EnumSet.complementOf(EnumSet.of(Certificate.VALID))) {
            faults.add(new WebhookFault(certificate.fault, certificate, Behaviour.ANSWER, 200, 0, ALLOWED));
        }
        return faults;
    }

    /** Parses a row of the table: the name, the code with the number of missing bytes, and the body. */
    private static WebhookFault parse(List<String> row) {
        String[] code = row.get(1).split("\\+", 2);
        String body = FaultTable.expanded(row.get(2)).replace("ALLOWED", ALLOWED);
        return new WebhookFault(
                row.get(0),
                Certificate.VALID,
                Behaviour.ANSWER,
                Integer.parseInt(code[0]),
                code.length == 1 ? 0 : Integer.parseInt(code[1]),
                body.startsWith("REVIEW(") ? review(body.substring("REVIEW(".length(), body.length() - 1)) : body);
    }

    private static String review(String status) {
        return "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"VERSION\",\"spec\":{},\"status\":" + status + "}";
    }

    /** Returns the response to a review of a version. */
    byte[] answerTo(String version) {
        String text = body.replaceFirst("VERSION", version);
        String head = code == 0
                ? ""
                : "HTTP/1.1 " + code + " Drill\r\nContent-Type: application/json\r\nContent-Length: "
                        + (text.length() + missing) + "\r\nConnection: close\r\n\r\n";
        return (head + text).getBytes(StandardCharsets.ISO_8859_1);
    }
}
