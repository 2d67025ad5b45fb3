package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/**
 * A port at which a server is reached as the holder of a client certificate, for clients that can present none: what comes over TLS goes on
 * over TLS with that certificate, byte by byte.
 */
public final class PresentingLine implements AutoCloseable {
    private final ServerSocket listening;
    private final SSLContext server;
    private final SSLContext client;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private PresentingLine(ServerSocket listening, SSLContext server, SSLContext client, int target) {
        this.listening = listening;
        this.server = server;
        this.client = client;
        this.target = target;
    }

    /**
     * A line to a server.
     *
     * @param name the file name of the certificate that it presents
     * @param target the server's port
     */
    public static PresentingLine to(TestPki pki, String name, int target) {
        try {
            ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            PresentingLine line = new PresentingLine(listening, pki.tls("server"), pki.tls(name), target);
            Thread.ofVirtual().start(line::accept);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An address of the server behind it. */
    public URI at(String path) {
        return URI.create("https://localhost:" + listening.getLocalPort() + path);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = server.getSocketFactory().createSocket(listening.accept(), null, true);
                Socket far = client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(near, far));
                Splice.of(near, far);
            } catch (IOException e) {
                // Closed, or the server has gone: the client finds out by its own connection.
                sockets.removeIf(Socket::isClosed);
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(Splice::end);
    }
}
