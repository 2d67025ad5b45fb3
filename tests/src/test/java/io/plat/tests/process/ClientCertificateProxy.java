package io.plat.tests.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/** A TLS-terminating proxy that connects to a server with a client certificate, for clients that cannot present one. */
public final class ClientCertificateProxy implements AutoCloseable {
    private final ListeningPort listening;
    private final SSLContext server;
    private final SSLContext client;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private ClientCertificateProxy(SSLContext server, SSLContext client, int target) {
        this.server = server;
        this.client = client;
        this.target = target;
        this.listening = ListeningPort.open(this::lead);
    }

    /**
     * Starts a proxy to a server.
     *
     * @param name file name of the client certificate
     * @param target the server's port
     */
    public static ClientCertificateProxy to(TestPki pki, String name, int target) {
        return new ClientCertificateProxy(pki.tls("server"), pki.tls(name), target);
    }

    /** Returns a URL of the server behind it. */
    public URI at(String path) {
        return URI.create("https://localhost:" + listening.number() + path);
    }

    private void lead(Socket accepted) throws IOException {
        sockets.removeIf(Socket::isClosed);
        Socket far = client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), target);
        sockets.add(far);
        Socket near = server.getSocketFactory().createSocket(accepted, null, true);
        sockets.add(near);
        ConnectionPipe.of(near, far);
    }

    @Override
    public void close() {
        listening.close();
        sockets.forEach(ConnectionPipe::end);
    }
}
