package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests to a decider that must not be allowed: from unknown clients, and with malformed bodies and headers. */
final class DeciderDrill {
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: ([a-z_]+)");

    private final DrillTarget peer;

    /** A user without any grants. */
    private final String user = "drill-" + UUID.randomUUID();

    DeciderDrill(DrillTarget peer) {
        this.peer = peer;
    }

    /**
     * Runs the drill.
     *
     * @param each called after each fault
     * @throws CommandException if the decider's responses before or after are inconclusive
     */
    List<Outcome> run(Runnable each) {
        verifyHealthy("before the faults were injected");
        List<Outcome> outcomes = new ArrayList<>();
        for (DeciderFault fault : DeciderFault.all()) {
            outcomes.add(outcome(fault));
            each.run();
        }
        verifyHealthy("after the faults were injected");
        return outcomes;
    }

    private Outcome outcome(DeciderFault fault) {
        try {
            DrillTarget.RawResponse answer = fault.sender().send(peer, user);
            boolean open = fault.identity() ? answer.succeeded() : answer.allows();
            return new Outcome(fault.name(), open, answer.summary());
        } catch (IOException e) {
            return new Outcome(fault.name(), false, message(e));
        }
    }

    private static String message(IOException failure) {
        if (failure instanceof SocketTimeoutException) {
            return "no answer in time";
        }
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        Matcher alert = ALERT.matcher(message);
        return alert.find() ? "TLS alert " + alert.group(1) : message;
    }

    private void verifyHealthy(String when) {
        DrillTarget.RawResponse answer;
        try {
            answer = DeciderFault.post(peer.connect(), peer, DeciderFault.review(user), "");
        } catch (IOException e) {
            throw CommandException.undetermined(
                    peer.url() + " did not answer a valid review " + when + ": " + message(e));
        }
        if (answer.allows()) {
            throw CommandException.undetermined(
                    peer.url() + " allows every user everything, so that the drill is inconclusive");
        }
        if (!answer.succeeded()) {
            throw CommandException.undetermined(
                    peer.url() + " refused a valid review " + when + ": " + answer.firstLine());
        }
    }

    /**
     * A request that a decider must not allow.
     *
     * @param identity whether it tests the caller's identity: then any 2xx response is a failure
     * @param sender sends the request
     */
    record DeciderFault(String name, boolean identity, Sender sender) {
        private static final String PATH = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        private static final String JSON_TYPE = "Content-Type: application/json\r\n";
        private static final int ALERT_MILLIS = 1_000;
        private static final int DEEP = 100_000;
        private static final int LARGE = 8 << 20;

        private static final String ATTRIBUTES = "{\"namespace\":\"drill\",\"verb\":\"get\",\"resource\":\"secrets\"}";
        private static final String REVIEW =
                "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{";

        /** Bodies by the names of their faults; VALID is a valid review, REVIEW its beginning. */
        private static final String BODIES = """
            empty-body |
            garbage-body | \0\1\2 allowed: true
            array-body | [VALID]
            truncated-json | VALID
            trailing-content | VALID{}
            wrong-kind | {"kind":"TokenReview","apiVersion":"authorization.k8s.io/v1","spec":{"user":"USER","resourceAttributes":ATTRIBUTES}}
            wrong-version | {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v9","spec":{"user":"USER","resourceAttributes":ATTRIBUTES}}
            no-attributes | REVIEW"user":"USER"}}
            both-attributes | REVIEW"user":"USER","resourceAttributes":ATTRIBUTES,"nonResourceAttributes":{"path":"/","verb":"get"}}}
            nobody | REVIEW"resourceAttributes":ATTRIBUTES}}
            two-users | REVIEW"user":"system:admin","user":"USER","resourceAttributes":ATTRIBUTES}}
            groups-of-another-version | REVIEW"user":"USER","group":["system:masters"],"resourceAttributes":ATTRIBUTES}}
            groups-that-look-alike | REVIEW"user":"USER","groups":["System:Masters","system:masters ","*"],"resourceAttributes":ATTRIBUTES}}
            status-of-the-client | REVIEW"user":"USER","resourceAttributes":ATTRIBUTES},"status":{"allowed":true,"denied":false}}
            deep-json | {"spec":NESTED}
            oversized-body | VALID
            """;

        @FunctionalInterface
        interface Sender {
            DrillTarget.RawResponse send(DrillTarget peer, String user) throws IOException;
        }

        static List<DeciderFault> all() {
            List<DeciderFault> faults = new ArrayList<>();
            clients(faults);
            bodies(faults);
            requests(faults);
            return faults;
        }

        /** A request that must be denied. */
        static String review(String user) {
            return REVIEW + "\"user\":\"" + user + "\",\"resourceAttributes\":" + ATTRIBUTES + "}}";
        }

        private static void clients(List<DeciderFault> faults) {
            faults.add(new DeciderFault(
                    "no-certificate",
                    true,
                    (peer, user) -> post(awaitAlert(peer.connectAnonymously()), peer, review(user), "")));
            faults.add(new DeciderFault(
                    "token-only",
                    true,
                    (peer, user) -> post(
                            awaitAlert(peer.connectAnonymously()),
                            peer,
                            review(user),
                            "Authorization: Bearer drill\r\n")));
            faults.add(new DeciderFault("untrusted-certificate", true, (peer, user) -> {
                CertificateAuthority untrusted =
                        CertificateAuthority.create("drill", Duration.ofDays(1), InstantSource.system());
                return post(
                        awaitAlert(peer.connectAs(
                                untrusted.issue(CertificateRequest.client("system:admin", "system:masters")))),
                        peer,
                        review(user),
                        "");
            }));
            faults.add(new DeciderFault(
                    "plain-http", true, (peer, user) -> post(peer.connectPlain(), peer, review(user), "")));
        }

        /**
         * Returns a connection whose server has had the time to reject the client. In TLS 1.3 the client completes the handshake before the server
         * has verified its certificate, and a request in transit may have the alert lost.
         */
        private static Socket awaitAlert(Socket socket) throws IOException {
            int timeout = socket.getSoTimeout();
            try {
                socket.setSoTimeout(ALERT_MILLIS);
                int early = socket.getInputStream().read();
                throw new IOException(early < 0 ? "closed after the handshake" : "a response before any request");
            } catch (SocketTimeoutException _) {
                socket.setSoTimeout(timeout);
                return socket;
            } catch (IOException rejection) {
                socket.close();
                throw rejection;
            }
        }

        private static void bodies(List<DeciderFault> faults) {
            for (String line : BODIES.lines().toList()) {
                int end = line.indexOf(" |");
                String body = line.substring(end + 2)
                        .strip()
                        .replace("VALID", review("USER"))
                        .replace("REVIEW", REVIEW)
                        .replace("ATTRIBUTES", ATTRIBUTES)
                        .replace("NESTED", "[".repeat(DEEP) + "]".repeat(DEEP));
                String name = line.substring(0, end);
                String truncated = name.equals("truncated-json") ? body.substring(0, 90) : body;
                String sent = name.equals("oversized-body") ? truncated + " ".repeat(LARGE) : truncated;
                faults.add(new DeciderFault(
                        name, false, (peer, user) -> post(peer.connect(), peer, sent.replace("USER", user), "")));
            }
            faults.add(new DeciderFault("invalid-utf-8", false, (peer, user) -> {
                byte[] bytes = review(user).replace(user, user + "\u00ff").getBytes(StandardCharsets.ISO_8859_1);
                return send(peer.connect(), head(peer, "POST", "Content-Length: " + bytes.length + "\r\n"), bytes);
            }));
        }

        private static void requests(List<DeciderFault> faults) {
            faults.add(new DeciderFault(
                    "get", false, (peer, user) -> send(peer.connect(), head(peer, "GET", ""), new byte[0])));
            field(faults, "wrong-content-type", "Content-Type: text/plain\r\n");
            field(faults, "compressed-body", JSON_TYPE + "Content-Encoding: gzip\r\n");
            field(
                    faults,
                    "impersonation",
                    JSON_TYPE + "Impersonate-User: system:admin\r\nImpersonate-Group: system:masters\r\n");
            field(
                    faults,
                    "front-proxy-user",
                    JSON_TYPE + "X-Remote-User: system:admin\r\nX-Remote-Group: system:masters\r\n");
            field(faults, "huge-header", JSON_TYPE + "X-Drill: " + "x".repeat(1 << 20) + "\r\n");
            raw(faults, "two-lengths", "Content-Length: 2\r\nContent-Length: LENGTH\r\n", UnaryOperator.identity());
            raw(
                    faults,
                    "length-and-chunks",
                    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
                    body -> HexFormat.of().toHexDigits((short) body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
            raw(faults, "half-a-body", "Content-Length: LENGTH0\r\n", UnaryOperator.identity());
            faults.add(new DeciderFault(
                    "no-http",
                    false,
                    (peer, user) -> send(peer.connect(), "\u0016\u0003\u0001 drill\r\n\r\n", new byte[0])));
        }

        private static void raw(List<DeciderFault> faults, String name, String fields, UnaryOperator<String> body) {
            faults.add(new DeciderFault(name, false, (peer, user) -> {
                String length = String.valueOf(review(user).length());
                byte[] sent = body.apply(review(user)).getBytes(StandardCharsets.UTF_8);
                return send(peer.connect(), head(peer, "POST", fields.replace("LENGTH", length)), sent);
            }));
        }

        private static void field(List<DeciderFault> faults, String name, String fields) {
            faults.add(new DeciderFault(name, false, (peer, user) -> post(peer.connect(), peer, review(user), fields)));
        }

        static DrillTarget.RawResponse post(Socket socket, DrillTarget peer, String body, String fields)
                throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            String type = fields.contains("Content-Type") ? "" : JSON_TYPE;
            return send(socket, head(peer, "POST", type + fields + "Content-Length: " + bytes.length + "\r\n"), bytes);
        }

        private static String head(DrillTarget peer, String method, String fields) {
            String token = peer.token() == null || fields.contains("Authorization")
                    ? ""
                    : "Authorization: Bearer " + peer.token() + "\r\n";
            return method + " " + peer.path() + PATH + " HTTP/1.1\r\nHost: " + peer.authority()
                    + "\r\nConnection: close\r\n" + token + fields + "\r\n";
        }

        /** Sends a request; a server may reject it before it has read everything: its response counts, not the failed write. */
        private static DrillTarget.RawResponse send(Socket socket, String head, byte[] body) throws IOException {
            try (socket) {
                OutputStream out = socket.getOutputStream();
                out.write(head.getBytes(StandardCharsets.ISO_8859_1));
                out.write(body);
                out.flush();
                return DrillTarget.RawResponse.read(socket.getInputStream());
            }
        }
    }
}
