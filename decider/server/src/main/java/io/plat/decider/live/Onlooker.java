package io.plat.decider.live;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
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
 * One who looks on. Used by one thread alone, to which the ends of writes come back. What comes while a write is under way is gathered,
 * up to a bound, and goes out with the next one.
 */
final class Onlooker {
    /** Decisions that wait for one onlooker. */
    static final int MOST_WAITING = 500;

    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Http http;
    private final Consumer<Runnable> thread;
    private final Consumer<Onlooker> onOver;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private long dropped;
    private boolean writing;
    private long writingSince;
    private boolean ending;
    private boolean over;

    /** The exchange. */
    record Http(Request request, Response response, Callback callback) {}

    /**
     * A onlooker that has been told nothing yet.
     *
     * @param thread runs what is given to it on the one thread
     * @param onOver called once, at the end
     */
    Onlooker(Http http, Consumer<Runnable> thread, Consumer<Onlooker> onOver) {
        this.http = http;
        this.thread = thread;
        this.onOver = onOver;
    }

    void begin() {
        http.response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = http.response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // A proxy that gathers an answer before it passes it on would make a stream of it that says nothing.
        headers.put("X-Accel-Buffering", "no");
        http.request.addIdleTimeoutListener(timeout -> false);
        // So that the client knows at once that it is let in.
        write(HEARTBEAT);
    }

    /** A decision was made. */
    void tell(byte[] event) {
        if (waiting.size() >= MOST_WAITING) {
            dropped++;
        } else {
            waiting.add(event);
        }
        flush();
    }

    /** Decisions were made of which nothing is known but their number. */
    void missed(long number) {
        dropped += number;
        flush();
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
        for (byte[] event = waiting.poll(); event != null; event = waiting.poll()) {
            out.writeBytes(event);
        }
        write(out.toByteArray());
    }

    /**
     * Says that there is nothing to say, or gives up where that was not taken for too long.
     *
     * @param patienceNanos how long a write may take
     */
    void beat(long patienceNanos) {
        if (over) {
            return;
        }
        if (!writing) {
            write(HEARTBEAT);
        } else if (System.nanoTime() - writingSince > patienceNanos) {
            cutOff(new TimeoutException("a onlooker of decisions reads nothing"));
        }
    }

    private void write(byte[] bytes) {
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
            flush();
        }
    }

    /** Ends the answer as one that is complete, after what is under way. */
    void end() {
        ending = true;
        if (!writing && !over) {
            finish();
            http.response.write(true, null, http.callback);
        }
    }

    /** Ends the connection whatever is under way. */
    void cutOff(Throwable cause) {
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
        waiting.clear();
        onOver.accept(this);
    }
}
