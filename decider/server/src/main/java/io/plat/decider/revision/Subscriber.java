package io.plat.decider.revision;

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
 * One client that is told revisions. Used by one thread alone, to which the ends of writes come back. While a write is under way nothing
 * is gathered: once it is done, only the revision that decides by then matters.
 */
final class Subscriber {
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

    private final Http http;
    private final Consumer<Runnable> thread;
    private final Consumer<Subscriber> onOver;
    private String told = "";
    private String present = "";
    private boolean writing;
    private long writingSince;
    private boolean ending;
    private boolean over;

    /** The exchange. */
    record Http(Request request, Response response, Callback callback) {}

    /**
     * A subscriber that has been told nothing yet.
     *
     * @param thread runs what is given to it on the one thread
     * @param onOver called once, at the end
     */
    Subscriber(Http http, Consumer<Runnable> thread, Consumer<Subscriber> onOver) {
        this.http = http;
        this.thread = thread;
        this.onOver = onOver;
    }

    /** Begins the answer. */
    void begin() {
        http.response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = http.response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // A proxy that gathers an answer before it passes it on would make a stream of it that says nothing.
        headers.put("X-Accel-Buffering", "no");
        http.request.addIdleTimeoutListener(timeout -> false);
    }

    /** This revision decides now. */
    void tell(String revision) {
        present = revision;
        if (!writing && !over && !told.equals(present)) {
            told = present;
            write(("id: " + told + "\ndata: " + told + "\n\n").getBytes(StandardCharsets.US_ASCII));
        }
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
            cutOff(new TimeoutException("a subscriber of revisions reads nothing"));
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
            tell(present);
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
        onOver.accept(this);
    }
}
