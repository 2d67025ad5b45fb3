package io.plat.apiserver.front;

import io.plat.apiserver.endpoint.ApiResponse;
import io.plat.apiserver.lease.LeasedStream;
import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.watch.ClientPresence;
import io.plat.http.UnreadResponses;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.QuotedCSV;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Writer of responses: small ones at once, large ones in pieces with backpressure, so that a long list is never in memory as a whole. Large
 * bodies are compressed if the client accepts it, as in kube-apiserver.
 */
final class ResponseWriter {
    /** Minimum size of a compressed body, in bytes, as in kube-apiserver. */
    private static final int COMPRESSED_FROM = 128 * 1024;

    /** Size of a piece, in bytes. */
    private static final int PIECE_BYTES = 64 * 1024;

    /** Time after which a client that does not read is disconnected. */
    private static final long TIMEOUT_MILLIS = 1000;

    private ResponseWriter() {}

    /** Returns whether {@link #write} blocks, and thus needs a thread that may. */
    static boolean waits(ApiResponse answer) {
        return isLong(answer.body(), PIECE_BYTES);
    }

    private static boolean isLong(Body body, int than) {
        return body.size() == Body.UNKNOWN || body.size() > than;
    }

    /**
     * Sends a response and completes the request.
     *
     * @param lease receives the means to end a live body early
     */
    static void write(
            ApiResponse answer, Request request, Response response, Callback callback, Consumer<LeasedStream> lease) {
        Body body = answer.body();
        response.setStatus(answer.code());
        HttpFields.Mutable headers = response.getHeaders();
        if (answer.code() != HttpStatus.NOT_MODIFIED_304) {
            headers.put(HttpHeader.CONTENT_TYPE, answer.contentType());
        }
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        answer.headers().forEach((name, values) -> {
            // Set as a list, they would be one line.
            headers.remove(name);
            values.forEach(value -> headers.add(name, value));
        });
        if (body.live() && !"HEAD".equals(request.getMethod())) {
            writeLive(body, request, response, callback, lease);
            return;
        }
        // A range refers to the uncompressed file.
        boolean compressed =
                isLong(body, COMPRESSED_FROM) && answer.code() != HttpStatus.PARTIAL_CONTENT_206 && admitsGzip(request);
        if (compressed) {
            headers.put(HttpHeader.CONTENT_ENCODING, "gzip");
            headers.add(HttpHeader.VARY, HttpHeader.ACCEPT_ENCODING.asString());
        } else if (body.size() != Body.UNKNOWN && answer.code() != HttpStatus.NOT_MODIFIED_304) {
            headers.put(HttpHeader.CONTENT_LENGTH, body.size());
        }
        if ("HEAD".equals(request.getMethod())) {
            response.write(true, null, callback);
        } else if (!isLong(body, PIECE_BYTES)) {
            response.write(true, ByteBuffer.wrap(body.bytes()), callback);
        } else {
            writePieces(body, compressed, response, callback);
        }
    }

    private static void writePieces(Body body, boolean compressed, Response response, Callback callback) {
        try {
            Pieces pieces = new Pieces(response, body.pinned());
            if (compressed) {
                try (OutputStream gzip = new FastGzip(pieces)) {
                    body.writeTo(gzip);
                }
            } else {
                body.writeTo(pieces);
            }
            pieces.finish();
        } catch (IOException broken) {
            // The client has disconnected, or the connection failed.
            callback.failed(broken);
            return;
        }
        callback.succeeded();
    }

    /**
     * Sends a live body, which may be written indefinitely: its thread is interrupted when the client disconnects, or when the stream is
     * ended, which closes the connection.
     */
    private static void writeLive(
            Body body, Request request, Response response, Callback callback, Consumer<LeasedStream> lease) {
        Thread writer = Thread.currentThread();
        var pieces = new Pieces(response, 0);
        // The writer may consume the interrupt, so later writes fail as well.
        Runnable abort = () -> {
            pieces.abort();
            writer.interrupt();
        };
        Connection connection = request.getConnectionMetaData().getConnection();
        var presence = new ClientPresence(connection, gone -> abort.run());
        lease.accept(() -> {
            abort.run();
            connection.getEndPoint().close();
        });
        // Idle periods are expected; a disconnect is detected by reading.
        request.addIdleTimeoutListener(timeout -> false);
        UnreadResponses.exclude(request);
        presence.begin();
        try {
            body.writeTo(pieces);
            pieces.flush();
        } catch (IOException broken) {
            presence.end();
            callback.failed(broken);
            return;
        }
        presence.end();
        response.write(true, null, callback);
    }

    private static boolean admitsGzip(Request request) {
        for (String coding : new QuotedCSV(false, request.getHeaders().get(HttpHeader.ACCEPT_ENCODING))) {
            int parameters = coding.indexOf(';');
            String name = parameters < 0 ? coding : coding.substring(0, parameters);
            if (name.strip().equalsIgnoreCase("gzip")) {
                return parameters < 0
                        || !coding.substring(parameters).replace(" ", "").matches(";q=0(\\.0*)?");
            }
        }
        return false;
    }

    /** GZIP with the fastest level, as in kube-apiserver. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, PIECE_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }

        @Override
        public synchronized void write(byte[] bytes, int start, int length) throws IOException {
            RequestMemory.current().compute(length);
            super.write(bytes, start, length);
        }
    }

    /** Collects written bytes and sends them in pieces. {@link #finish} must not be called after a failure. */
    private static final class Pieces extends OutputStream {
        private final Response response;
        private final byte[] buffer = new byte[PIECE_BYTES];
        private int filled;
        private long pinned;
        private volatile boolean unwanted;

        Pieces(Response response, long pinned) {
            this.response = response;
            this.pinned = pinned;
        }

        @Override
        public void write(int b) throws IOException {
            if (filled == PIECE_BYTES) {
                handOver(false);
            }
            buffer[filled++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            int from = start;
            int rest = length;
            while (rest > 0) {
                if (filled == PIECE_BYTES) {
                    handOver(false);
                }
                int part = Math.min(rest, PIECE_BYTES - filled);
                System.arraycopy(bytes, from, buffer, filled, part);
                filled += part;
                from += part;
                rest -= part;
            }
        }

        @Override
        public void flush() throws IOException {
            handOver(false);
        }

        /** Makes all later writes fail. Thread-safe. */
        void abort() {
            unwanted = true;
        }

        void finish() throws IOException {
            handOver(true);
        }

        private void await(Callback.Completable written) throws IOException {
            try {
                try {
                    written.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException slow) {
                    RequestMemory.current().charge(pinned);
                    pinned = 0;
                    written.get();
                }
            } catch (RequestLimitException full) {
                throw new EofException("too much unread data of slow clients");
            } catch (ExecutionException e) {
                throw new EofException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        private void handOver(boolean last) throws IOException {
            if (unwanted) {
                throw new EofException("the client has disconnected");
            }
            ByteBuffer piece = ByteBuffer.wrap(buffer, 0, filled);
            filled = 0;
            var written = new Callback.Completable();
            RequestMemory.current().endTurn();
            response.write(last, piece, written);
            await(written);
        }
    }
}
