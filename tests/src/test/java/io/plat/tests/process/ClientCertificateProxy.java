package io.plat.tests.process;

import java.io.IOException;
import java.net.InetAddress;
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
    private final ListeningPort listening;
    private final SSLContext server;
    private final SSLContext client;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private PresentingLine(SSLContext server, SSLContext client, int target) {
        this.server = server;
        this.client = client;
        this.target = target;
        this.listening = ListeningPort.open(this::lead);
    }

    /**
     * A line to a server.
     *
     * @param name the file name of the certificate that it presents
     * @param target the server's port
     */
    public static PresentingLine to(TestPki pki, String name, int target) {
        return new PresentingLine(pki.tls("server"), pki.tls(name), target);
    }

    /** An address of the server behind it. */
    public URI at(String path) {
        return URI.create("https://localhost:" + listening.number() + path);
    }

    private void lead(Socket accepted) throws IOException {
        sockets.removeIf(Socket::isClosed);
        Socket far = client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), target);
        sockets.add(far);
        Socket near = server.getSocketFactory().createSocket(accepted, null, true);
        sockets.add(near);
        Splice.of(near, far);
    }

    @Override
    public void close() {
        listening.close();
        sockets.forEach(Splice::end);
    }
}
