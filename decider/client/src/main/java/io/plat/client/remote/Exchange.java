package io.plat.client.remote;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request that any thread may cancel while another one waits for its response. For a single use. */
final class Exchange {
    private final byte[] bytes;
    private final int waitMillis;
    private @Nullable Socket socket;
    private boolean cancelled;
    private boolean kept;

    private Exchange(byte[] bytes, Duration wait) {
        this.bytes = bytes;
        this.waitMillis = (int) Math.max(1, Math.min(wait.toMillis(), Integer.MAX_VALUE));
    }

    /**
     * Creates a request.
     *
     * @param body JSON, which makes the request a POST; null for a GET
     * @param token sent as the bearer token, or {@code ""}
     * @param wait maximum time between two reads
     * @throws IOException if the token has characters that are invalid in a header
     */
    static Exchange of(URI url, String accept, byte @Nullable [] body, String token, Duration wait) throws IOException {
        StringBuilder head = new StringBuilder(256);
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        head.append(body == null ? "GET " : "POST ").append(path);
        if (url.getRawQuery() != null) {
            head.append('?').append(url.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(url.getHost());
        if (url.getPort() >= 0) {
            head.append(':').append(url.getPort());
        }
        head.append("\r\nAccept: ").append(accept).append("\r\nUser-Agent: plat\r\n");
        if (!token.isEmpty()) {
            if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                throw new IOException("the token has an invalid character");
            }
            head.append("Authorization: Bearer ").append(token).append("\r\n");
        }
        int length = body == null ? 0 : body.length;
        if (body != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(length)
                    .append("\r\n");
        }
        byte[] written = head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[written.length + length];
        System.arraycopy(written, 0, all, 0, written.length);
        if (body != null) {
            System.arraycopy(body, 0, all, written.length, length);
        }
        return new Exchange(all, wait);
    }

    /** Returns the request as it is sent. */
    byte[] bytes() {
        return bytes;
    }

    int waitMillis() {
        return waitMillis;
    }

    /**
     * Starts using a connection, which is closed if the request is cancelled.
     *
     * @param reusedOne whether an earlier request used it
     * @throws IOException if the request was cancelled
     */
    synchronized void begin(Socket connection, boolean reusedOne) throws IOException {
        if (cancelled) {
            throw new IOException("the request was cancelled");
        }
        socket = connection;
        kept = reusedOne;
    }

    /** Ends the use of the connection; returns whether it may serve other requests. */
    synchronized boolean end() {
        socket = null;
        return !cancelled;
    }

    /** Returns whether the connection was reused. The decider may have closed it meanwhile, without reading the request. */
    synchronized boolean wasOnReusedConnection() {
        return kept;
    }

    /** Cancels the request, which then fails on its thread. Returns at once. */
    synchronized void cancel() {
        cancelled = true;
        if (socket != null) {
            HttpConnection.abort(socket);
        }
    }
}
