package io.plat.http.stream;

import io.plat.http.UnreadAnswers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
 * Event stream of one client. Confined to one thread, which also receives the completion of writes. Subclasses queue events during a write, until
 * {@link #writable} is called.
 */
public abstract class EventStream {
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Exchange http;
    private final Consumer<Runnable> thread;
    private final Consumer<EventStream> onEnd;
    private boolean writing;
    private long writingSince;
    private boolean ending;
    private boolean over;
    private final AtomicBoolean completed = new AtomicBoolean();

    /** Request and response of a stream, with the callback that completes them. */
    public record Exchange(Request request, Response response, Callback callback) {}

    /** Context of a stream: its thread, and the listener for its end. */
    public record Context(Exchange http, Consumer<Runnable> thread, Consumer<EventStream> onEnd) {}

    protected EventStream(Context context) {
        this.http = context.http();
        this.thread = context.thread();
        this.onEnd = context.onEnd();
    }

    /** Handles the completion of a write, after which another one may start. */
    protected abstract void writable();

    /** Handles the end of the stream. */
    protected void ended() {}

    /** Returns whether an event may be written now. */
    protected final boolean isFree() {
        return !writing && !over;
    }

    final boolean answers(Request request) {
        return http.request == request;
    }

    final void begin() {
        http.response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = http.response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // A proxy that buffers a response would turn it into a silent stream.
        headers.put("X-Accel-Buffering", "no");
        http.request.addIdleTimeoutListener(timeout -> false);
        UnreadAnswers.exclude(http.request);
    }

    /** Writes a heartbeat; must be called if {@linkplain #isFree free}. */
    protected final void heartbeat() {
        write(HEARTBEAT);
    }

    /**
     * Writes a heartbeat, or aborts if a write has been in progress for too long.
     *
     * @param timeoutNanos maximum duration of a write
     */
    final void heartbeat(long timeoutNanos) {
        if (!writing) {
            heartbeat();
        } else if (System.nanoTime() - writingSince > timeoutNanos) {
            abort(new TimeoutException("the client of an event stream does not read"));
        }
    }

    /** Writes events; must be called if {@linkplain #isFree free}. */
    protected final void write(byte[] bytes) {
        writing = true;
        writingSince = System.nanoTime();
        http.response.write(
                false,
                ByteBuffer.wrap(bytes),
                Callback.from(() -> thread.accept(this::written), failure -> thread.accept(() -> gone(failure))));
    }

    private void written() {
        writing = false;
        if (ending) {
            end();
        } else {
            writable();
        }
    }

    /** Completes the response, after any write in progress. */
    final void end() {
        ending = true;
        if (!writing && !over) {
            finish();
            writing = true;
            writingSince = System.nanoTime();
            http.response.write(true, null, Callback.from(() -> complete(null), this::complete));
        }
    }

    final void endOrAbort() {
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
    final void abort(Throwable cause) {
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
        ended();
    }
}
