package io.plat.tests.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** An HTTP/1.1 connection. It shares the machine with the server, and so inspects no more of a response than necessary. */
final class Http1Exchange implements Exchange {
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    private final SSLSocket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Request request;
    private final byte[] buffer = new byte[16 * 1024];

    /** Connects, with the TLS handshake. */
    Http1Exchange(SSLContext tls, int port, Request request) throws IOException {
        this.request = request;
        socket = (SSLSocket) tls.getSocketFactory().createSocket("localhost", port);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    @Override
    public void once() throws IOException {
        out.write(request.next());
        readAnswer(in, buffer);
    }

    /** Reads a response; anything but a success ends the run. */
    private static void readAnswer(InputStream in, byte[] buffer) throws IOException {
        int have = 0;
        int head = -1;
        while (head < 0) {
            have += readMore(in, buffer, have);
            head = endOfHead(buffer, have);
        }
        if (buffer[9] != '2') {
            throw new IOException(new String(buffer, 0, have, StandardCharsets.ISO_8859_1));
        }
        int whole = head + contentLength(buffer, head);
        while (have < whole) {
            // The body is not inspected.
            int more = in.read(buffer, 0, Math.min(buffer.length, whole - have));
            if (more <= 0) {
                throw new EOFException("the server closed the connection");
            }
            have += more;
        }
    }

    private static int readMore(InputStream in, byte[] buffer, int have) throws IOException {
        int more = in.read(buffer, have, buffer.length - have);
        if (more <= 0) {
            throw new EOFException("the server closed the connection");
        }
        return more;
    }

    private static int endOfHead(byte[] buffer, int have) {
        for (int i = 3; i < have; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int contentLength(byte[] buffer, int head) throws IOException {
        for (int i = 0; i + LENGTH.length < head; i++) {
            int at = 0;
            while (at < LENGTH.length && (buffer[i + at] | 0x20) == (LENGTH[at] | 0x20)) {
                at++;
            }
            if (at == LENGTH.length) {
                int length = 0;
                for (int j = i + at; buffer[j] != '\r'; j++) {
                    length = buffer[j] == ' ' ? length : 10 * length + buffer[j] - '0';
                }
                return length;
            }
        }
        throw new IOException("an answer without a length");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
