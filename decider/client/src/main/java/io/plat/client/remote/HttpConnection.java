package io.plat.client.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;

/** A connection over TLS, used by one request at a time. */
final class HttpConnection {
    private static final int BUFFER = 8 << 10;
    private static final int MAX_LINE = 8 << 10;

    /** TCP keep-alive, to detect a vanished host on connections that only wait, such as revision streams. */
    private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 1,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 1,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 2);

    private final Socket raw;
    private final SSLSocket tls;
    private final SSLContext context;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private int requests;
    private int waitMillis;
    private long idleSince;

    private HttpConnection(Socket raw, SSLSocket tls, SSLContext context) throws IOException {
        this.raw = raw;
        this.tls = tls;
        this.context = context;
        this.in = tls.getInputStream();
    }

    /** Signals that no connection was established in time. */
    static final class ConnectTimeoutException extends SocketTimeoutException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Connects and performs the TLS handshake.
     *
     * @param host the expected name, which the certificate must have
     * @param exchange the first request, whose cancellation ends the attempt
     */
    static HttpConnection open(
            InetSocketAddress address, String host, SSLContext context, int waitMillis, Exchange exchange)
            throws IOException {
        Socket raw = new Socket();
        try {
            exchange.begin(raw, false);
            raw.setTcpNoDelay(true);
            raw.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
                if (raw.supportedOptions().contains(option.getKey())) {
                    raw.setOption(option.getKey(), option.getValue());
                }
            }
            connect(raw, address, waitMillis);
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(raw, host, address.getPort(), true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
            tls.setSoTimeout(waitMillis);
            tls.startHandshake();
            return new HttpConnection(raw, tls, context);
        } catch (IOException | RuntimeException e) {
            abort(raw);
            throw e;
        }
    }

    private static void connect(Socket raw, InetSocketAddress address, int waitMillis) throws IOException {
        try {
            raw.connect(address, waitMillis);
        } catch (SocketTimeoutException e) {
            throw new ConnectTimeoutException();
        }
    }

    /** Returns whether the connection seems open, has the current credentials, and has no unsolicited data. */
    boolean isUsable(SSLContext current, long idleSinceAtLeast) {
        try {
            return context == current
                    && idleSince - idleSinceAtLeast >= 0
                    && position == limit
                    && in.available() == 0
                    && raw.getInputStream().available() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    void idle(long now) {
        idleSince = now;
    }

    long idleSince() {
        return idleSince;
    }

    /** Sends a request and reads the head of its response. */
    HttpResponse send(Exchange exchange) throws IOException {
        exchange.begin(raw, requests > 0);
        requests++;
        if (waitMillis != exchange.waitMillis()) {
            waitMillis = exchange.waitMillis();
            tls.setSoTimeout(waitMillis);
        }
        tls.getOutputStream().write(exchange.bytes());
        return HttpResponse.read(this);
    }

    /** Reads a line of the head of a response, without its end. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            line.append(text(position, end));
            if (line.length() > MAX_LINE) {
                throw new IOException("a line of more than " + MAX_LINE + " bytes");
            }
            position = Math.min(end + 1, limit);
            if (end < limit) {
                int length = line.length();
                return line.substring(0, length > 0 && line.charAt(length - 1) == '\r' ? length - 1 : length);
            }
            fill();
        }
    }

    private String text(int begin, int end) {
        return new String(buffer, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    private void fill() throws IOException {
        position = 0;
        limit = 0;
        int count = in.read(buffer, 0, buffer.length);
        if (count < 0) {
            throw new IOException("the connection ended before the answer");
        }
        limit = count;
    }

    /** Reads bytes of a body, at least one; returns -1 at the end of the connection. */
    int read(byte[] bytes, int offset, int length) throws IOException {
        if (position == limit) {
            return in.read(bytes, offset, length);
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(buffer, position, bytes, offset, count);
        position += count;
        return count;
    }

    /** Closes the connection at once. */
    void abort() {
        abort(raw);
    }

    static void abort(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It counts as closed anyway.
        }
    }
}
