package io.plat.http.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One client's events. Used by one thread alone, to which the ends of writes come back. What is to be told while a write is under way is
 * the heir's to keep, until {@link #told} says that there is room for it.
 */
public abstract class EventStream {
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Exchange http;
    private final Consumer<Runnable> thread;
    private final Consumer<EventStream> onOver;
    private boolean writing;
    private long writingSince;
    private boolean ending;
    private boolean over;

    /** The request and what answers it. */
    public record Exchange(Request request, Response response, Callback callback) {}

    /** What a stream needs of those that it is one of: the one thread, and who is told once when it is over. */
    public record Place(Exchange http, Consumer<Runnable> thread, Consumer<EventStream> onOver) {}

    /** A stream that has told nothing yet. */
    protected EventStream(Place place) {
        this.http = place.http();
        this.thread = place.thread();
        this.onOver = place.onOver();
    }

    /** The last write is done, and another one may begin. */
    protected abstract void told();

    /** Nothing is told any more. */
    protected void over() {}

    /** Whether something may be written now. */
    protected final boolean isFree() {
        return !writing && !over;
    }

    /** Whether it answers this request. */
    final boolean answers(Exchange exchange) {
        return http.equals(exchange);
    }

    /** Begins the answer. */
    final void begin() {
        http.response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = http.response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // A proxy that gathers an answer before it passes it on would make a stream of it that says nothing.
        headers.put("X-Accel-Buffering", "no");
        http.request.addIdleTimeoutListener(timeout -> false);
    }

    /** Says that there is nothing to say; to be called where it is free. */
    protected final void beat() {
        write(HEARTBEAT);
    }

    /**
     * Says that there is nothing to say, or gives up where that was not taken for too long.
     *
     * @param patienceNanos how long a write may take
     */
    final void beat(long patienceNanos) {
        if (over) {
            return;
        }
        if (!writing) {
            beat();
        } else if (System.nanoTime() - writingSince > patienceNanos) {
            cutOff(new TimeoutException("the client of an event stream reads nothing"));
        }
    }

    /** Writes events; to be called where it is free. */
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
            told();
        }
    }

    /** Ends the answer as one that is complete, after what is under way. */
    final void end() {
        ending = true;
        if (!writing && !over) {
            finish();
            http.response.write(true, null, http.callback);
        }
    }

    /** Ends the connection whatever is under way. */
    final void cutOff(Throwable cause) {
        if (over) {
            return;
        }
        // A write that does not end would keep the answer from being given up.
        if (http.request.getConnectionMetaData().getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion()) {
            http.request.getConnectionMetaData().getConnection().getEndPoint().close(cause);
        }
        gone(cause);
    }

    private void gone(Throwable cause) {
        if (!over) {
            finish();
            http.callback.failed(cause);
        }
    }

    private void finish() {
        over = true;
        over();
        onOver.accept(this);
    }
}
