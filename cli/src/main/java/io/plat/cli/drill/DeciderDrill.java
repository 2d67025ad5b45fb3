package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
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
    List<FaultOutcome> run(Runnable each) {
        verifyHealthy("before the faults were injected");
        List<FaultOutcome> outcomes = new ArrayList<>();
        for (DeciderFault fault : DeciderFault.all()) {
            outcomes.add(outcome(fault));
            each.run();
        }
        verifyHealthy("after the faults were injected");
        return outcomes;
    }

    private FaultOutcome outcome(DeciderFault fault) {
        try {
            DrillTarget.RawResponse answer = fault.sender().send(peer, user);
            boolean open = fault.identity() ? answer.succeeded() : answer.allows();
            return new FaultOutcome(fault.name(), open, answer.summary());
        } catch (IOException e) {
            return new FaultOutcome(fault.name(), false, message(e));
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
                    peer.url() + " allows every user everything, so the drill is inconclusive");
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
        private static final int ALERT_MILLIS = 1_000;
        private static final String ATTRIBUTES = "{\"namespace\":\"drill\",\"verb\":\"get\",\"resource\":\"secrets\"}";
        private static final String REVIEW =
                "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{";

        @FunctionalInterface
        interface Sender {
            DrillTarget.RawResponse send(DrillTarget peer, String user) throws IOException;
        }

        static List<DeciderFault> all() {
            List<DeciderFault> faults = new ArrayList<>(clients());
            for (List<String> row : FaultTable.rows("decider-faults.txt")) {
                faults.add(new DeciderFault(
                        row.get(0),
                        false,
                        (peer, user) -> post(peer.connect(), peer, body(row.get(2), user), row.get(1))));
            }
            faults.add(new DeciderFault(
                    "no-http",
                    false,
                    (peer, user) -> DrillTarget.send(peer.connect(), "\u0016\u0003\u0001 drill\r\n\r\n", "")));
            return faults;
        }

        /** Returns a review that must be denied. */
        static String review(String user) {
            return REVIEW + "\"user\":\"" + user + "\",\"resourceAttributes\":" + ATTRIBUTES + "}}";
        }

        private static List<DeciderFault> clients() {
            return List.of(
                    client("no-certificate", DrillTarget::connectAnonymously, ""),
                    client("token-only", DrillTarget::connectAnonymously, "Authorization: Bearer drill"),
                    client(
                            "untrusted-certificate",
                            peer -> peer.connectAs(
                                    CertificateAuthority.create("drill", Duration.ofDays(1), InstantSource.system())
                                            .issue(CertificateRequest.client("system:admin", "system:masters"))),
                            ""),
                    new DeciderFault(
                            "plain-http", true, (peer, user) -> post(peer.connectPlain(), peer, review(user), "")));
        }

        private interface Connector {
            Socket connect(DrillTarget peer) throws IOException;
        }

        private static DeciderFault client(String name, Connector connector, String fields) {
            return new DeciderFault(
                    name, true, (peer, user) -> post(awaitAlert(connector.connect(peer)), peer, review(user), fields));
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

        private static String body(String template, String user) {
            String valid = review(user);
            String chunk = HexFormat.of().toHexDigits((short) valid.length()) + "\r\n" + valid + "\r\n0\r\n\r\n";
            return FaultTable.expanded(template.translateEscapes()
                    .replace("CHUNKED", chunk)
                    .replace("VALID", valid)
                    .replace("REVIEW", REVIEW)
                    .replace("ATTRIBUTES", ATTRIBUTES)
                    .replace("USER", user));
        }

        /**
         * Sends a request on a new connection.
         *
         * @param fields header fields, separated by {@code "; "}, which replace the standard ones; {@code GET} for a request without a body
         */
        static DrillTarget.RawResponse post(Socket socket, DrillTarget peer, String body, String fields)
                throws IOException {
            if (fields.equals("GET")) {
                return DrillTarget.send(socket, peer.head("GET", PATH, ""), "");
            }
            String head = (fields.contains("Content-") ? "" : "Content-Type: application/json\r\n")
                    + (fields.isEmpty() ? "" : FaultTable.expanded(fields).replace("; ", "\r\n") + "\r\n")
                    + (fields.contains("Content-Length") ? "" : "Content-Length: LENGTH\r\n");
            String length = String.valueOf(body.length());
            return DrillTarget.send(socket, peer.head("POST", PATH, head.replace("LENGTH", length)), body);
        }
    }
}
