package io.plat.cli.drill;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;

/** Sends a server requests that it has to ask its webhook about. Each is for something else, so that no answer is remembered. */
final class Probe {
    private static final Set<Integer> REFUSED = Set.of(401, 403, 429);
    private static final int SERVER_FAILED = 500;

    private final Peer peer;
    private final String nonce = UUID.randomUUID().toString().substring(0, 8);
    private int sent;

    Probe(Peer peer) {
        this.peer = peer;
    }

    /**
     * What became of a request.
     *
     * @param passed whether it was let through, to whatever end
     * @param detail what came back
     */
    record Result(boolean passed, String detail) {}

    Peer peer() {
        return peer;
    }

    /** Sends one request. */
    Result send() {
        String path = peer.path() + "/drill-" + nonce + "-" + sent++;
        String token = peer.token() == null ? "" : "Authorization: Bearer " + peer.token() + "\r\n";
        try (Socket socket = peer.connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET " + path + " HTTP/1.1\r\nHost: " + peer.authority() + "\r\nAccept: application/json\r\n"
                            + token + "Connection: close\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            RawAnswer answer = RawAnswer.read(socket.getInputStream());
            boolean passed = answer.code() > 0 && answer.code() < SERVER_FAILED && !REFUSED.contains(answer.code());
            return new Result(passed, answer.firstLine());
        } catch (IOException e) {
            String message = e.getMessage();
            return new Result(false, message == null ? e.getClass().getSimpleName() : message);
        }
    }
}
