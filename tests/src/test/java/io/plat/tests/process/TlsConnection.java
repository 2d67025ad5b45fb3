package io.plat.tests.process;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A connection that is read byte by byte, to test when it is read, reused and closed. Its receive buffer is small. */
public final class TlsConnection implements AutoCloseable {
    private static final int RECEIVE_BUFFER = 16 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final SSLSocket socket;
    private final InputStream in;

    private TlsConnection(SSLSocket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects with the certificate {@code admin}. */
    public static TlsConnection to(StandaloneServer server) {
        return to(server.pki().tls("admin"), server.process().port());
    }

    /** Connects to a port; a reused context offers to resume its session. */
    public static TlsConnection to(SSLContext tls, int port) {
        return to(tls, port, "TLSv1.3", "TLSv1.2");
    }

    /** Connects with one of these versions of TLS. */
    public static TlsConnection to(SSLContext tls, int port, String... protocols) {
        try {
            Socket plain = new Socket();
            plain.setReceiveBufferSize(RECEIVE_BUFFER);
            plain.connect(new InetSocketAddress("localhost", port));
            SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port, true);
            socket.setEnabledProtocols(protocols);
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            return new TlsConnection(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a GET with headers, without waiting. */
    public TlsConnection get(String path, String... fields) throws IOException {
        var request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    /** Sends bytes, without waiting. */
    public TlsConnection send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return this;
    }

    /** Returns the next line, without its end. */
    public String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed after \"" + line + "\"");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** Reads to the empty line after a head; returns the status line. */
    public String head() throws IOException {
        String status = line();
        while (!line().isEmpty()) {}
        return status;
    }

    /** Reads a chunked body to its end. */
    public String chunks() throws IOException {
        var body = new StringBuilder();
        String chunk = chunk();
        while (!chunk.isEmpty()) {
            body.append(chunk);
            chunk = chunk();
        }
        return body.toString();
    }

    /** Returns a chunk; {@code ""} is the end of the body. */
    public String chunk() throws IOException {
        byte[] chunk = in.readNBytes(Integer.parseInt(line(), 16));
        line();
        return new String(chunk, StandardCharsets.UTF_8);
    }

    /** Returns the creation time of the TLS session, in milliseconds: a resumed one is older than its connection. */
    public long sessionCreated() {
        return socket.getSession().getCreationTime();
    }

    /** Reads until the server closes; returns the number of bytes. */
    public long drain() {
        long count = 0;
        try {
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                count += n;
            }
        } catch (IOException cut) {
            // Any kind of close is expected.
            return count;
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
