package io.plat.cli.drill;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * Fault of a webhook.
 *
 * @param certificate the certificate of the handshake
 * @param behaviour its behaviour after the review was read
 * @param bytes the bytes that it writes, if any
 */
// The array is not shared or modified.
@SuppressWarnings("ArrayRecordComponent")
record WebhookFault(String name, Certificate certificate, Behaviour behaviour, byte[] bytes) {
    private static final int LARGE = 64 << 20;
    private static final int DEEP = 100_000;
    private static final String ALLOWED = "{\"allowed\":true}";

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

    /** A healthy webhook that allows. */
    static WebhookFault allowing() {
        return withValidCertificate("allowing", Behaviour.ANSWER, http(200, review(ALLOWED)));
    }

    /** A healthy webhook that denies. */
    static WebhookFault denying() {
        return withValidCertificate(
                "denying", Behaviour.ANSWER, http(200, review("{\"allowed\":false,\"reason\":\"drill\"}")));
    }

    static List<WebhookFault> all() {
        List<WebhookFault> faults = new ArrayList<>();
        faults.add(withValidCertificate("no-answer", Behaviour.SILENT, new byte[0]));
        faults.add(withValidCertificate("slow-body", Behaviour.TRICKLE, http(200, review(ALLOWED))));
        faults.add(withValidCertificate("reset", Behaviour.RESET, new byte[0]));
        faults.add(withValidCertificate("closed", Behaviour.CLOSE, new byte[0]));
        faults.add(withValidCertificate("garbage", Behaviour.ANSWER, bytes("allowed: true\n".repeat(100))));
        answers(faults);
        codes(faults);
        for (Certificate certificate : EnumSet.complementOf(EnumSet.of(Certificate.VALID))) {
            faults.add(new WebhookFault(certificate.fault, certificate, Behaviour.ANSWER, http(200, review(ALLOWED))));
        }
        return faults;
    }

    private static void answers(List<WebhookFault> faults) {
        faults.add(answer("not-json", "allowed"));
        faults.add(answer("empty-body", ""));
        faults.add(answer(
                "truncated-json", review(ALLOWED).substring(0, review(ALLOWED).length() - 4)));
        faults.add(withValidCertificate(
                "half-a-body", Behaviour.ANSWER, bytes(head(200, review(ALLOWED).length() + 100) + review(ALLOWED))));
        faults.add(answer("array", "[" + review(ALLOWED) + "]"));
        faults.add(answer("wrong-kind", review(ALLOWED).replace("SubjectAccessReview", "TokenReview")));
        faults.add(answer("wrong-version", review(ALLOWED).replace("VERSION", "authorization.k8s.io/v9")));
        faults.add(answer("no-status", review("null")));
        faults.add(answer("status-as-text", review("\"allowed\"")));
        faults.add(answer("allowed-as-text", review("{\"allowed\":\"true\"}")));
        faults.add(answer("allowed-as-number", review("{\"allowed\":1}")));
        faults.add(answer("allowed-with-denied", review("{\"allowed\":true,\"denied\":true}")));
        faults.add(answer("allowed-twice", review("{\"allowed\":false,\"allowed\":true}")));
        faults.add(
                answer("deep-json", review("{\"more\":" + "[".repeat(DEEP) + "]".repeat(DEEP) + ",\"allowed\":true}")));
        faults.add(answer("oversized-body", review("{\"allowed\":true,\"reason\":\"" + "x".repeat(LARGE) + "\"}")));
    }

    private static void codes(List<WebhookFault> faults) {
        for (int code : new int[] {204, 400, 401, 403, 404, 429, 500, 502, 503}) {
            faults.add(withValidCertificate(
                    "status-" + code, Behaviour.ANSWER, http(code, code == 204 ? "" : review(ALLOWED))));
        }
        faults.add(withValidCertificate(
                "redirect",
                Behaviour.ANSWER,
                bytes("HTTP/1.1 307 Drill\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")));
    }

    private static WebhookFault answer(String name, String body) {
        return withValidCertificate(name, Behaviour.ANSWER, http(200, body));
    }

    private static WebhookFault withValidCertificate(String name, Behaviour behaviour, byte[] bytes) {
        return new WebhookFault(name, Certificate.VALID, behaviour, bytes);
    }

    /** VERSION is replaced by the version of the request. */
    private static String review(String status) {
        return "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"VERSION\",\"spec\":{},\"status\":" + status + "}";
    }

    private static byte[] http(int code, String body) {
        return bytes("LENGTH" + code + "\n" + body);
    }

    private static String head(int code, int length) {
        return "HTTP/1.1 " + code + " Drill\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\nConnection: close\r\n\r\n";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the response to a review of a version. */
    byte[] answerTo(String version) {
        String text = new String(bytes, StandardCharsets.UTF_8).replaceFirst("VERSION", version);
        if (!text.startsWith("LENGTH")) {
            return bytes(text);
        }
        int line = text.indexOf('\n');
        String body = text.substring(line + 1);
        return bytes(head(Integer.parseInt(text.substring("LENGTH".length(), line)), bytes(body).length) + body);
    }
}
