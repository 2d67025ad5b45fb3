package io.plat.apiserver.watch;

import io.plat.apiserver.lease.LeasedStream;
import io.plat.apiserver.operations.ObjectWatch;
import io.plat.apiserver.type.ResourceType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Running watch. All events (changes, a completed write, a timer, a disconnect) only wake it; it then takes a turn on one of the few
 * threads that all watches share. Turns of one watch never overlap, so its state needs no lock.
 *
 * <p>A turn writes one portion of a {@link FrameSource}, and the next one starts only after that write has completed: this bounds the
 * memory held by a client that does not read. A write that takes longer than {@link WatchLimits#writeTimeout} aborts the watch.
 */
final class WatchStream implements LeasedStream {
    private static final Logger LOG = LoggerFactory.getLogger(WatchStream.class);

    private static final int LAST_BOOKMARK_SECONDS = 2;

    private final WatchRequest request;
    private final Shared shared;
    private final Watches.WatchMeters.Meters meters;
    /** Positive while the watch has or awaits a turn, and until it has started. */
    private final AtomicInteger signals = new AtomicInteger(1);

    private volatile boolean ending;
    private volatile boolean writing;
    private volatile boolean bookmarkDue;
    private volatile @Nullable Throwable failure;

    private @Nullable FrameSource source;
    private @Nullable FrameSink sink;
    private @Nullable Runnable onEnd;
    private boolean endWritten;
    private boolean finished;

    /** Time of its end, by {@link System#nanoTime}. */
    private final long deadline;

    /** Time of the next bookmark; the deadline if there is none. */
    private volatile long nextBookmark;

    private volatile @Nullable Write last;

    /** Resources shared by all watches. */
    record Shared(
            FairTurns turns,
            FrameCache frames,
            PendingWrites pending,
            Watches.WatchMeters meters,
            WatchLimits limits) {}

    /** Creates a watch that has not started. */
    WatchStream(WatchRequest request, Shared shared) {
        this.request = request;
        this.shared = shared;
        this.meters = shared.meters().of(request.target());
        this.deadline = System.nanoTime() + Math.max(0, request.timeout().toNanos());
        this.nextBookmark = bookmarkAfter(System.nanoTime());
    }

    /**
     * Starts.
     *
     * @param events source of events; closed at the end
     * @param onEnd called once, at the end
     */
    void start(ObjectWatch events, FrameSink target, Runnable onEnd) {
        source = new FrameSource(events, request, shared.frames());
        sink = target;
        this.onEnd = onEnd;
        meters.running().incrementAndGet();
        try {
            write(List.of(), target::open);
            // If it fails to start, it has to end.
        } catch (RuntimeException unexpected) {
            LOG.error("a watch failed: resource={}", type().groupResource(), unexpected);
            failure = unexpected;
        }
        schedule();
    }

    ResourceType type() {
        return request.target().type();
    }

    private FrameSource source() {
        return Objects.requireNonNull(source);
    }

    private FrameSink sink() {
        return Objects.requireNonNull(sink);
    }

    /** Requests a turn. Returns immediately; thread-safe. */
    void wake() {
        if (signals.getAndIncrement() == 0) {
            schedule();
        }
    }

    /** Ends the watch as complete, after the operation in progress. */
    @Override
    public void end() {
        ending = true;
        wake();
    }

    @Override
    public void abort() {
        fail(new TimeoutException("the client of a watch that was ending did not read in time"));
    }

    /** Aborts the watch: the client has disconnected or is unreachable. */
    void fail(Throwable cause) {
        failure = cause;
        wake();
    }

    private void schedule() {
        try {
            shared.turns().execute(request.client(), this::run);
        } catch (RejectedExecutionException stopped) {
            // The threads have stopped, after the connections were closed.
            LOG.debug("a watch was woken after shutdown", stopped);
        }
    }

    private void run() {
        int handled = signals.get();
        boolean more = false;
        try {
            more = !finished && advance();
            // A shared thread must survive the failure of a single watch.
        } catch (RuntimeException | Error unexpected) {
            LOG.error("a watch failed: resource={}", type().groupResource(), unexpected);
            finish(unexpected);
        }
        if (more || !signals.compareAndSet(handled, 0)) {
            schedule();
        }
    }

    /** Performs a turn; returns whether another one is needed immediately. */
    private boolean advance() {
        Throwable cause = failure;
        if (cause != null) {
            finish(cause);
            return false;
        }
        if (writing) {
            return false;
        }
        if (ending) {
            if (endWritten) {
                finish(null);
            } else {
                // As any write it is aborted if the client does not read.
                endWritten = true;
                write(List.of(), sink()::end);
            }
            return !writing && !finished;
        }
        FrameSource.Portion portion = source().next(bookmarkDue);
        if (portion.bookmarked()) {
            nextBookmark = bookmarkAfter(System.nanoTime());
            bookmarkDue = false;
        }
        if (portion.next() == FrameSource.Next.NEVER) {
            ending = true;
        }
        if (!portion.frames().isEmpty()) {
            meters.events().increment(portion.frames().size());
            write(portion.frames(), written -> sink().send(portion.frames(), written));
        }
        // The completion of a long write triggers the next turn.
        return !writing && (ending || portion.next() == FrameSource.Next.IMMEDIATELY);
    }

    private void write(List<byte[]> frames, Consumer<Callback> begin) {
        writing = true;
        var write = new Write();
        last = write;
        begin.accept(write);
        write.started = true;
        write.since = System.nanoTime() | 1;
        if (!write.done) {
            write.addPending(frames);
        }
    }

    /** Completion of a write, successful or not, in time or not. */
    private final class Write implements Callback {
        private final Thread startingThread = Thread.currentThread();
        private boolean started;
        /** Start of the write, by {@link System#nanoTime}; 0 before. */
        private volatile long since;

        private volatile boolean done;
        private volatile boolean pending;

        /** Registers the write as pending; it may complete concurrently. */
        void addPending(List<byte[]> frames) {
            pending = true;
            shared.pending()
                    .add(this, frames, () -> fail(new TimeoutException("too much unread data of slow watch clients")));
            if (done) {
                shared.pending().end(this);
            }
        }

        void end() {
            done = true;
            if (pending) {
                shared.pending().end(this);
            }
        }

        @Override
        public void succeeded() {
            boolean atOnce = Thread.currentThread() == startingThread && !started;
            end();
            writing = false;
            // Most writes complete before the call returns, in the current turn.
            if (!atOnce) {
                wake();
            }
        }

        @Override
        public void failed(Throwable cause) {
            end();
            fail(cause);
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        boolean isTimedOut(long now) {
            return since != 0
                    && !done
                    && now - since > shared.limits().writeTimeout().toNanos();
        }
    }

    private long bookmarkAfter(long now) {
        long last = deadline - TimeUnit.SECONDS.toNanos(LAST_BOOKMARK_SECONDS);
        // A watch that is about to end has sent its last bookmark.
        return !request.options().bookmarks() || now - last >= 0
                ? deadline
                : now + Math.min(shared.limits().bookmarkInterval().toNanos(), last - now);
    }

    /** Checks timers; called periodically, by one thread for all watches. */
    void checkTimers(long now) {
        Write write = last;
        if (write != null && write.isTimedOut(now)) {
            fail(new TimeoutException(
                    "the client of a watch did not read for " + shared.limits().writeTimeout()));
        } else if (now - deadline >= 0) {
            end();
        } else if (now - nextBookmark >= 0 && !bookmarkDue) {
            bookmarkDue = true;
            wake();
        }
    }

    private void finish(@Nullable Throwable cause) {
        if (finished) {
            return;
        }
        finished = true;
        source().close();
        meters.running().decrementAndGet();
        Write write = last;
        try {
            if (cause == null) {
                sink().complete();
            } else {
                LOG.debug("a watch was aborted", cause);
                sink().abort(cause);
            }
        } finally {
            if (write != null) {
                write.end();
            }
            if (onEnd != null) {
                onEnd.run();
            }
        }
    }
}
