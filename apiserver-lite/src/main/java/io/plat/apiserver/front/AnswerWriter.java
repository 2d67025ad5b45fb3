package io.plat.apiserver.front;

import io.plat.apiserver.endpoint.Answer;
import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.watch.ClientPresence;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.QuotedCSV;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Sends an answer: a small one at once, a large one in pieces that wait for the connection, so that a long list is never in memory
 * as a whole. What is large is compressed for a client that takes it, as existing servers do.
 */
final class AnswerWriter {
    /** The largest body that is never compressed, in bytes: that of existing servers. */
    private static final int COMPRESSED_FROM = 128 * 1024;

    /** How much is handed to the connection at a time, in bytes. */
    private static final int PIECE = 64 * 1024;

    /** The time after which a client is one that does not read. */
    private static final long PATIENCE_MILLIS = 1000;

    private AnswerWriter() {}

    /** Whether {@link #write} waits for the connection: then only a thread that may wait calls it. */
    static boolean waits(Answer answer) {
        return isLong(answer.body(), PIECE);
    }

    /** Whether a body is longer than this, or may be, as its length is not known. */
    private static boolean isLong(Body body, int than) {
        return body.size() == Body.UNKNOWN || body.size() > than;
    }

    /** Answers and completes the request. */
    static void write(Answer answer, Request request, Response response, Callback callback) {
        Body body = answer.body();
        response.setStatus(answer.code());
        HttpFields.Mutable headers = response.getHeaders();
        if (answer.code() != HttpStatus.NOT_MODIFIED_304) {
            headers.put(HttpHeader.CONTENT_TYPE, answer.contentType());
        }
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        answer.headers().forEach((name, values) -> headers.put(name, List.copyOf(values)));
        if (body.live() && !"HEAD".equals(request.getMethod())) {
            writeLive(body, request, response, callback);
            return;
        }
        // A part is a part of the file as it is, not of a compressed one.
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
        } else if (!isLong(body, PIECE)) {
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
            // The client is gone, or the connection failed: there is nobody left to tell.
            callback.failed(broken);
            return;
        }
        callback.succeeded();
    }

    /** Sends a body that may be written for as long as somebody reads it: its thread is interrupted once the client has gone. */
    private static void writeLive(Body body, Request request, Response response, Callback callback) {
        Thread writer = Thread.currentThread();
        var pieces = new Pieces(response, 0);
        var presence = new ClientPresence(request.getConnectionMetaData().getConnection(), gone -> {
            // The interrupt ends a wait, but what is called there may take it for its own.
            pieces.abort();
            writer.interrupt();
        });
        // Silence is as it should be; the client's going is noticed otherwise.
        request.addIdleTimeoutListener(timeout -> false);
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

    /** Compression that costs little: the lowest level, as existing servers have it. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, PIECE);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Collects what is written and hands it over piece by piece. To be finished only where nothing failed before. */
    private static final class Pieces extends OutputStream {
        private final Response response;
        private final byte[] buffer = new byte[PIECE];
        private int filled;
        private long pinned;
        private volatile boolean unwanted;

        Pieces(Response response, long pinned) {
            this.response = response;
            this.pinned = pinned;
        }

        @Override
        public void write(int b) throws IOException {
            if (filled == PIECE) {
                handOver(false);
            }
            buffer[filled++] = (byte) b;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            int from = start;
            int rest = length;
            while (rest > 0) {
                if (filled == PIECE) {
                    handOver(false);
                }
                int part = Math.min(rest, PIECE - filled);
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

        /** Has every further write fail. From any thread. */
        void abort() {
            unwanted = true;
        }

        void finish() throws IOException {
            handOver(true);
        }

        private void await(Callback.Completable written) throws IOException {
            try {
                try {
                    written.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException slow) {
                    RequestMemory.current().charge(pinned);
                    pinned = 0;
                    written.get();
                }
            } catch (RequestLimitException full) {
                throw new EofException("too many clients do not read their answers");
            } catch (ExecutionException e) {
                throw new EofException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // Fair, not correct, by it.
        private void handOver(boolean last) throws IOException {
            if (unwanted) {
                throw new EofException("the client has gone");
            }
            ByteBuffer piece = ByteBuffer.wrap(buffer, 0, filled);
            filled = 0;
            var written = new Callback.Completable();
            response.write(last, piece, written);
            await(written);
            // Those who wait for a virtual thread come first: a long answer is made of many pieces.
            Thread.yield();
        }
    }
}
