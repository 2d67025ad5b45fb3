package io.plat.http.testing;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A connection over which arbitrary bytes can be sent. */
public final class RawClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;

    public RawClient(InetSocketAddress address, SSLContext tls) throws IOException {
        this((SSLSocket) tls.getSocketFactory().createSocket(address.getAddress(), address.getPort()));
    }

    /** Connects from an address of this host. */
    public RawClient(InetSocketAddress address, SSLContext tls, InetAddress from) throws IOException {
        this((SSLSocket) tls.getSocketFactory().createSocket(address.getAddress(), address.getPort(), from, 0));
    }

    private RawClient(SSLSocket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        // Otherwise the first data would wait for a delayed acknowledgement of the handshake (40 ms).
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    public RawClient send(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        return this;
    }

    public RawAnswer answer() throws IOException {
        return RawAnswer.read(in, true);
    }

    public RawAnswer answerWithoutBody() throws IOException {
        return RawAnswer.read(in, false);
    }

    public RawAnswer get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").answer();
    }

    public RawAnswer post(String path, String body) throws IOException {
        return send("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.ISO_8859_1).length + "\r\n\r\n" + body)
                .answer();
    }

    public RawAnswer postJson(String path, String body) throws IOException {
        return send("POST " + path
                        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.getBytes(StandardCharsets.ISO_8859_1).length + "\r\n\r\n" + body)
                .answer();
    }

    /** Waits for the server to close the connection; returns whether it sent nothing more. */
    public boolean closedWithoutAnother() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
