package io.plat.client.remote;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A response whose body is read from its connection (RFC 9112). Not thread-safe. */
final class HttpResponse {
    private static final int MAX_HEADERS = 100;
    private static final int MAX_INTERIM = 10;

    private final HttpConnection connection;
    private final int code;
    private final List<String> headers;
    private final Body body;

    private HttpResponse(HttpConnection connection, int code, List<String> headers, boolean persistent)
            throws IOException {
        this.connection = connection;
        this.code = code;
        this.headers = headers;
        this.body = new Body(persistent);
    }

    /** Reads the head of the next response, skipping interim ones. */
    static HttpResponse read(HttpConnection connection) throws IOException {
        for (int i = 0; i < MAX_INTERIM; i++) {
            String status = connection.line();
            boolean http = status.length() >= 12
                    && status.startsWith("HTTP/1.")
                    && status.charAt(8) == ' '
                    && (status.length() == 12 || status.charAt(12) == ' ');
            int code = http ? number(status.substring(9, 12), 10) : -1;
            if (code < 100) {
                throw new IOException("not an HTTP response: " + SanitizedText.quoted(status));
            }
            List<String> headers = headers(connection);
            if (code >= 200) {
                return new HttpResponse(connection, code, headers, status.charAt(7) == '1');
            }
        }
        throw new IOException("too many interim responses");
    }

    private static List<String> headers(HttpConnection connection) throws IOException {
        List<String> headers = new ArrayList<>();
        for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
            int colon = line.indexOf(':');
            if (colon <= 0 || line.charAt(0) <= ' ') {
                throw new IOException("malformed header: " + SanitizedText.quoted(line));
            }
            if (headers.size() == 2 * MAX_HEADERS) {
                throw new IOException("more than " + MAX_HEADERS + " headers");
            }
            headers.add(line.substring(0, colon));
            headers.add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static int number(String text, int radix) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), radix) : -1;
            if (digit < 0 || value > (Integer.MAX_VALUE - digit) / radix) {
                return -1;
            }
            value = value * radix + digit;
        }
        return text.isEmpty() ? -1 : value;
    }

    int code() {
        return code;
    }

    /** Returns the first value of a header, or a default. */
    String header(String name, String otherwise) {
        for (int i = 0; i < headers.size(); i += 2) {
            if (headers.get(i).equalsIgnoreCase(name)) {
                return headers.get(i + 1);
            }
        }
        return otherwise;
    }

    /** Returns the body. The end of the connection ends a body of unknown length. */
    InputStream body() {
        return body;
    }

    /** Returns whether the body was read to its end and another request may follow. */
    boolean isReusable() {
        return body.reusable;
    }

    private final class Body extends InputStream {
        private static final int UNKNOWN = -1;

        private final boolean persistent;
        private final boolean chunked;

        /** Number of bytes up to the end of the body, or of the chunk; {@link #UNKNOWN} up to the end of the connection. */
        private int remaining;

        private boolean betweenChunks;
        private boolean ended;
        private boolean reusable;

        Body(boolean http11) throws IOException {
            // A proxy may send an error early, and the real response after it, which would be read as that to the next
            // request.
            boolean last = code < 300 || code == 429;
            persistent = http11
                    && last
                    && !header("Connection", "").toLowerCase(Locale.ROOT).contains("close");
            String encoding = header("Transfer-Encoding", "");
            String length = header("Content-Length", "");
            chunked = encoding.equalsIgnoreCase("chunked");
            if (!encoding.isEmpty() && (!chunked || !length.isEmpty())) {
                throw new IOException("unexpected transfer encoding " + SanitizedText.quoted(encoding));
            }
            boolean none = code == 204 || code == 304;
            remaining = none || chunked ? 0 : length.isEmpty() ? UNKNOWN : number(length, 10);
            if (remaining < 0 && !length.isEmpty()) {
                throw new IOException("unexpected content length " + SanitizedText.quoted(length));
            }
            if (!chunked && remaining == 0) {
                end(true);
            }
        }

        private void end(boolean whole) {
            ended = true;
            reusable = whole && persistent;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (chunked && remaining == 0 && !ended) {
                beginChunk();
            }
            if (ended) {
                return -1;
            }
            int count = connection.read(bytes, offset, remaining == UNKNOWN ? length : Math.min(length, remaining));
            if (count < 0) {
                if (remaining != UNKNOWN) {
                    throw new IOException("the connection ended within the answer");
                }
                end(false);
            } else if (remaining != UNKNOWN) {
                remaining -= count;
                if (remaining == 0 && !chunked) {
                    end(true);
                }
            }
            return count;
        }

        private void beginChunk() throws IOException {
            if (betweenChunks && !connection.line().isEmpty()) {
                throw new IOException("malformed chunk");
            }
            String line = connection.line();
            int extension = line.indexOf(';');
            remaining = number((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
            if (remaining < 0) {
                throw new IOException("malformed chunk: " + SanitizedText.quoted(line));
            }
            betweenChunks = true;
            if (remaining == 0) {
                // Trailers are ignored, and bounded like headers.
                headers(connection);
                end(true);
            }
        }
    }
}
