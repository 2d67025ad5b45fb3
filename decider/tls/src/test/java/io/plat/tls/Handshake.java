package io.plat.tls;

import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.CertificateVerifier.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * One connection over loopback: the client sends a byte, the server answers one.
 *
 * <p>Under TLS 1.3 a client may consider a handshake complete that the server refuses, so the result depends on whether the bytes arrive.
 */
final class Handshake {
    private static final int TIMEOUT_MILLIS = 20_000;

    private static final String MARK = "seen";

    private Handshake() {}

    /**
     * Result of a handshake.
     *
     * @param passed whether application data passed in both directions
     * @param server result on the server's side
     * @param client result on the client's side
     */
    record Outcome(boolean passed, Side server, Side client) {}

    /**
     * Result on one side.
     *
     * @param error the message of the failure, or {@code ""}
     * @param protocol the version, or {@code ""} where none was agreed
     * @param judgement the verification of the peer's certificate
     * @param resumed whether an earlier session was resumed
     */
    record Side(String error, String protocol, Verification judgement, boolean resumed) {
        private static final Verification NONE = new Verification.Refused(Verification.Reason.ABSENT, "no session");

        static Side failed(Exception e) {
            StringBuilder message = new StringBuilder();
            for (Throwable t = e; t != null; t = t.getCause()) {
                message.append(t.getMessage()).append("; ");
            }
            return new Side(message.toString(), "", NONE, false);
        }

        static Side done(SSLSession session, Verification judgement) {
            boolean resumed = session.getValue(MARK) != null;
            session.putValue(MARK, MARK);
            return new Side("", session.getProtocol(), judgement, resumed);
        }
    }

    static Outcome run(ServerTls server, SSLContext client) {
        return run(server, client, "localhost", socket -> {});
    }

    /**
     * Connects.
     *
     * @param host the host that the client expects; the connection always goes to loopback
     * @param settings applied to the client's socket before the handshake
     */
    static Outcome run(ServerTls server, SSLContext client, String host, Consumer<SSLSocket> settings) {
        return run(server.context(), server.clientVerifier(), client, host, settings);
    }

    static Outcome run(
            SSLContext server,
            CertificateVerifier verifier,
            SSLContext client,
            String host,
            Consumer<SSLSocket> settings) {
        try (ServerSocket listening = listen()) {
            return run(listening, server, verifier, new Client(client, host, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server socket on a free loopback port. */
    static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /**
     * The client's side.
     *
     * @param context creates its socket
     * @param host the host that it expects
     * @param settings applied to its socket
     */
    record Client(SSLContext context, String host, Consumer<SSLSocket> settings) {}

    /** One of several connections to one port: clients remember sessions by host and port. */
    static Outcome run(ServerSocket listening, SSLContext server, CertificateVerifier verifier, Client client) {
        try {
            CompletableFuture<Side> accepted =
                    CompletableFuture.supplyAsync(() -> serve(listening, server, verifier), Thread::startVirtualThread);
            Side connected = connect(listening, client);
            Side served = accepted.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            boolean passed = served.error().isEmpty() && connected.error().isEmpty();
            return new Outcome(passed, served, connected);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Side serve(ServerSocket listening, SSLContext context, CertificateVerifier verifier) {
        try (Socket plain = listening.accept();
                SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            SSLSession session = exchangeAsServer(socket);
            return Side.done(session, verifier.verify(CertificateVerifier.presented(session)));
        } catch (IOException e) {
            return Side.failed(e);
        }
    }

    private static SSLSession exchangeAsServer(SSLSocket socket) throws IOException {
        socket.startHandshake();
        if (socket.getInputStream().read() != 'q') {
            throw new IOException("no data from the client");
        }
        socket.getOutputStream().write('a');
        socket.getOutputStream().flush();
        // Reads the client's end of the stream, so that closing loses nothing.
        int end = socket.getInputStream().read();
        if (end >= 0) {
            throw new IOException("the client sent more than one byte");
        }
        return socket.getSession();
    }

    private static Side connect(ServerSocket listening, Client client) {
        try (Socket plain = new Socket(listening.getInetAddress(), listening.getLocalPort());
                SSLSocket socket = (SSLSocket) client.context()
                        .getSocketFactory()
                        .createSocket(plain, client.host(), listening.getLocalPort(), true)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            client.settings().accept(socket);
            socket.startHandshake();
            socket.getOutputStream().write('q');
            socket.getOutputStream().flush();
            if (socket.getInputStream().read() != 'a') {
                throw new IOException("no data from the server");
            }
            return Side.done(socket.getSession(), Side.NONE);
        } catch (IOException e) {
            return Side.failed(e);
        }
    }
}
