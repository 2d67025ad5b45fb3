package io.plat.engine.webhook;

import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the revisions of a decider's policy for as long as it is open: connects, hears, and when the stream ends or falls silent
 * connects again, later each time it fails. A decider that offers none is asked again now and then.
 */
final class RevisionStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevisionStream.class);

    private static final String TYPE = "text/event-stream";
    private static final int BUFFER = 4096;

    private final KeptConnections connections;
    private final URI url;
    private final RevisionNews listener;
    private final Timing timing;
    private final Thread thread;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected;
    private volatile @Nullable HttpGet underway;
    private String said = "";

    /**
     * When to try again.
     *
     * @param backoff the waits between attempts; beyond its number of attempts they grow no more
     * @param silence a stream that says nothing for so long, not even that it is there, is given up
     * @param unoffered the wait where the decider offers no stream
     * @param random gives numbers from 0 to 1
     */
    record Timing(Backoff backoff, Duration silence, Duration unoffered, DoubleSupplier random) {
        static final Timing REAL = new Timing(
                new Backoff(Duration.ofMillis(100), 2, 0.5, 8),
                Duration.ofSeconds(15),
                Duration.ofMinutes(1),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** How an attempt ended. */
    private sealed interface End {
        /** There was a stream. */
        record Lost(String reason) implements End {}

        /** There was none, but there may be one soon. */
        record Unavailable(String reason) implements End {}

        /** This decider has none. */
        record Unoffered(String reason) implements End {}
    }

    /** The way out of a stream. */
    private static final class EndedException extends IOException {
        private static final long serialVersionUID = 1;
        private final transient End end;

        EndedException(End end) {
            this.end = end;
        }
    }

    RevisionStream(URI url, KeptConnections connections, RevisionNews listener, Timing timing) {
        this.connections = connections;
        this.url = url;
        this.listener = listener;
        this.timing = timing;
        this.thread = Thread.ofVirtual().name("revisions").unstarted(this::run);
    }

    /** Where a decider that is asked at some address offers its revisions. */
    static URI address(URI asked) {
        String path = asked.getRawPath();
        int api = path.indexOf("/apis/");
        String base = api >= 0 ? path.substring(0, api + 1) : path.substring(0, path.lastIndexOf('/') + 1);
        return asked.resolve(base.isEmpty() ? "/revisions" : base + "revisions");
    }

    /** Begins to follow. To be called once. */
    void start() {
        thread.start();
    }

    /** Whether each new revision is heard of. */
    boolean isConnected() {
        return connected;
    }

    private void run() {
        int failures = 0;
        try {
            while (!closed.get()) {
                Duration wait = switch (followOrFail()) {
                    case End.Lost(String reason) -> {
                        failures = 1;
                        say("lost", reason);
                        yield backoff(failures);
                    }
                    case End.Unavailable(String reason) -> {
                        failures++;
                        say("none", reason);
                        yield backoff(failures);
                    }
                    case End.Unoffered(String reason) -> {
                        say("none", reason);
                        yield timing.unoffered().plus(backoff(1));
                    }
                };
                Thread.sleep(wait);
            }
        } catch (InterruptedException stopped) {
            // Nobody else knows this thread; it was told to end.
            LOG.debug("the revisions of {} are followed no longer", url);
        }
    }

    private Duration backoff(int failures) {
        return timing.backoff().after(Math.min(failures, timing.backoff().attempts()), timing.random());
    }

    /** Logs a change of the state, not each attempt. */
    private synchronized void say(String state, String detail) {
        if (closed.get() || state.equals(said)) {
            return;
        }
        said = state;
        if (state.equals("told")) {
            LOG.info("{}: policy {}; what it answers is kept until it tells another one", url, detail);
        } else {
            LOG.warn("{}: no news of policies ({}); what it answers is kept for its time", url, detail);
        }
    }

    /** A fault of this program costs one attempt, and not all news until the next start. */
    private End followOrFail() throws InterruptedException {
        try {
            return follow();
        } catch (RuntimeException bug) {
            LOG.error("following the revisions of {} failed", url, bug);
            return new End.Unavailable(
                    "it could not be followed: " + bug.getClass().getSimpleName());
        }
    }

    private End follow() throws InterruptedException {
        HttpGet request;
        try {
            request = connections.prepared(new HttpGet(url), TYPE, timing.silence());
        } catch (ProblemsException e) {
            return new End.Unavailable(Quoted.oneLine(String.valueOf(e.getMessage())));
        }
        underway = request;
        if (closed.get()) {
            throw new InterruptedException();
        }
        try {
            return connections.execute(request, HttpClientContext.create(), this::read);
        } catch (EndedException ended) {
            return ended.end;
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return lost(e);
        } finally {
            silent();
        }
    }

    private End lost(IOException failure) {
        if (!connected) {
            return new End.Unavailable(Failures.reply(failure, false).reason());
        }
        return new End.Lost(
                failure instanceof SocketTimeoutException
                        ? "silent for " + timing.silence().toSeconds() + " s"
                        : "the connection failed");
    }

    /** Reads until the stream ends. Always thrown, never returned: the connection of what is not read to its end is given up. */
    private End read(ClassicHttpResponse response) throws IOException {
        int code = response.getCode();
        if (code == 429 || code >= 500) {
            throw new EndedException(new End.Unavailable("HTTP " + code));
        }
        @Nullable HttpEntity entity = response.getEntity();
        @Nullable Header type = response.getFirstHeader(HttpHeaders.CONTENT_TYPE);
        if (code != 200
                || entity == null
                || type == null
                || !String.valueOf(type.getValue()).toLowerCase(Locale.ROOT).startsWith(TYPE)) {
            throw new EndedException(new End.Unoffered("HTTP " + code));
        }
        throw new EndedException(new End.Lost(events(entity.getContent())));
    }

    /** Tells what comes and says why it ended. */
    private String events(InputStream in) throws IOException {
        EventStream stream = new EventStream(this::event);
        byte[] buffer = new byte[BUFFER];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                stream.read(ByteBuffer.wrap(buffer, 0, count));
            }
            return "the decider ended it";
        } catch (EventStream.MalformedException e) {
            return "what it sends is no stream of revisions: " + e.getMessage();
        }
    }

    private void event(String data) throws EventStream.MalformedException {
        if (!RevisionName.isName(data)) {
            throw new EventStream.MalformedException("no name of a revision");
        }
        if (!closed.get()) {
            hear(data);
        }
    }

    private void hear(String revision) {
        say("told", revision);
        // First, so that whoever fails on it is told that the news have ended.
        connected = true;
        listener.told(revision);
    }

    private void silent() {
        if (connected) {
            connected = false;
            listener.untold();
        }
    }

    /** Follows no longer. What is remembered stays; nobody is told that the news have ended. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            thread.interrupt();
            @Nullable HttpGet request = underway;
            if (request != null) {
                connections.cancel(request);
            }
        }
    }
}
