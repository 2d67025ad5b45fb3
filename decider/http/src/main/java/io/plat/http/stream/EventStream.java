package io.plat.http.stream;

import io.plat.http.UnreadResponses;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Event stream of one client. Confined to one thread, which also receives the completion of writes. Events that arrive during a write are queued,
 * up to a limit, and sent with the next one; events that do not fit are dropped and reported as a number.
 */
final class EventStream {
    static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    /** Maximum size of the queue, in bytes. */
    private static final int MAX_WAITING = 512 << 10;

    private final Exchange http;
    private final Consumer<Runnable> thread;
    private final Consumer<EventStream> onEnd;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private byte[] latest = {};
    private int bytes;
    private long dropped;
    private boolean writing;
    private long writingSince;
    private boolean ending;
    private boolean over;
    private final AtomicBoolean completed = new AtomicBoolean();

    /** Request and response of a stream, with the callback that completes them. */
    record Exchange(Request request, Response response, Callback callback) {}

    /**
     * Creates a stream that has not begun.
     *
     * @param thread runs tasks on the thread of the stream
     * @param onEnd called once, on that thread
     */
    EventStream(Exchange http, Consumer<Runnable> thread, Consumer<EventStream> onEnd) {
        this.http = http;
        this.thread = thread;
        this.onEnd = onEnd;
    }

    /**
     * Sends or queues an event.
     *
     * @param replaces whether it makes queued events obsolete, and is omitted if it equals the previous such event
     * @param missed number of dropped events before it
     */
    void send(byte[] event, boolean replaces, long missed) {
        if (replaces) {
            if (Arrays.equals(latest, event)) {
                return;
            }
            latest = event;
            clear();
        }
        dropped += missed;
        if (!replaces && bytes + event.length > MAX_WAITING) {
            dropped++;
        } else {
            waiting.add(event);
            bytes += event.length;
        }
        flush();
    }

    private void clear() {
        waiting.clear();
        bytes = 0;
    }

    private void flush() {
        if (writing || over || (waiting.isEmpty() && dropped == 0)) {
            return;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 10);
        if (dropped > 0) {
            out.writeBytes(("event: dropped\ndata: " + dropped + "\n\n").getBytes(StandardCharsets.US_ASCII));
            dropped = 0;
        }
        waiting.forEach(out::writeBytes);
        clear();
        write(out.toByteArray());
    }

    boolean answers(Request request) {
        return http.request == request;
    }

    void begin() {
        http.response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = http.response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // A proxy that buffers a response would turn it into a silent stream.
        headers.put("X-Accel-Buffering", "no");
        http.request.addIdleTimeoutListener(timeout -> false);
        UnreadResponses.exclude(http.request);
    }

    /**
     * Writes a heartbeat, or aborts if a write has been in progress for too long.
     *
     * @param timeoutNanos maximum duration of a write
     */
    void heartbeat(long timeoutNanos) {
        if (!writing) {
            write(HEARTBEAT);
        } else if (System.nanoTime() - writingSince > timeoutNanos) {
            abort(new TimeoutException("the client of an event stream does not read"));
        }
    }

    private void write(byte[] events) {
        writing = true;
        writingSince = System.nanoTime();
        http.response.write(
                false,
                ByteBuffer.wrap(events),
                Callback.from(() -> thread.accept(this::written), failure -> thread.accept(() -> gone(failure))));
    }

    private void written() {
        writing = false;
        if (ending) {
            end();
        } else {
            flush();
        }
    }

    /** Completes the response, after any write in progress. */
    void end() {
        ending = true;
        if (!writing && !over) {
            finish();
            writing = true;
            writingSince = System.nanoTime();
            http.response.write(true, null, Callback.from(() -> complete(null), this::complete));
        }
    }

    void endOrAbort() {
        if (ending) {
            abort(new TimeoutException("the client of an event stream did not read its end in time"));
        } else {
            end();
        }
    }

    private void complete(@Nullable Throwable failure) {
        if (completed.getAndSet(true)) {
            return;
        }
        thread.accept(() -> onEnd.accept(this));
        if (failure == null) {
            http.callback.succeeded();
        } else {
            http.callback.failed(failure);
        }
    }

    /** Aborts the connection, even during a write, including the last one. */
    void abort(Throwable cause) {
        if (completed.get()) {
            return;
        }
        // A blocked write would prevent aborting the response.
        if (http.request.getConnectionMetaData().getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion()) {
            http.request.getConnectionMetaData().getConnection().getEndPoint().close(cause);
        }
        gone(cause);
    }

    private void gone(Throwable cause) {
        if (!over) {
            finish();
        }
        complete(cause);
    }

    private void finish() {
        over = true;
        clear();
    }
}
