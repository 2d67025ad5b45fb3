package io.plat.apiserver.watch;

import io.plat.apiserver.lease.LeasedStream;
import io.plat.apiserver.operations.ObjectWatch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
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
 * One watch under way. Whatever happens to it (changes are there, a write is done, a time has come, the client is gone) only
 * wakes it; it then takes a turn on one of the few threads that all watches share. Turns of one watch never overlap, so that its
 * state needs no lock.
 *
 * <p>A turn writes one portion of a {@link FrameSource}, and there is no further one while that write is under way: this is all that
 * a client who does not read can hold. When that takes longer than {@link WatchLimits#write} it is cut off.
 */
final class WatchStream implements LeasedStream {
    private static final Logger LOG = LoggerFactory.getLogger(WatchStream.class);

    private static final int LAST_BOOKMARK_SECONDS = 2;

    private final WatchRequest request;
    private final Shared shared;
    private final WatchMeters.Meters meters;
    /** Above zero while the watch has a turn or waits for one; so it does until it begins. */
    private final AtomicInteger signals = new AtomicInteger(1);

    private volatile boolean ending;
    private volatile boolean writing;
    private volatile boolean bookmarkDue;
    private volatile @Nullable Throwable failure;

    private @Nullable FrameSource source;
    private @Nullable FrameSink sink;
    private @Nullable Runnable onOver;
    private boolean over;

    /** When it ends, by {@link System#nanoTime}. */
    private final long deadline;

    /** When the next bookmark is due; the deadline where there is none any more. */
    private volatile long nextBookmark;

    private volatile @Nullable Write last;

    /**
     * What all watches share.
     *
     * @param threads take the turns
     * @param frames the frames that were sent before
     * @param pending the frames that clients have not read yet
     * @param meters count
     * @param limits what each may cost
     */
    record Shared(Executor threads, FrameCache frames, PendingWrites pending, WatchMeters meters, WatchLimits limits) {}

    /** A watch that has not begun. */
    WatchStream(WatchRequest request, Shared shared) {
        this.request = request;
        this.shared = shared;
        this.meters = shared.meters().of(request.target());
        this.deadline = System.nanoTime() + Math.max(0, request.timeout().toNanos());
        this.nextBookmark = bookmarkAfter(System.nanoTime());
    }

    /**
     * Begins.
     *
     * @param follows where the events come from; closed at the end
     * @param goesTo where they go
     * @param whenOver called once, at the end
     */
    void start(ObjectWatch follows, FrameSink goesTo, Runnable whenOver) {
        source = new FrameSource(follows, request, shared.frames());
        sink = goesTo;
        onOver = whenOver;
        meters.running().incrementAndGet();
        try {
            write(List.of(), goesTo::open);
            // Whatever keeps it from beginning, it has to end.
        } catch (RuntimeException unexpected) {
            LOG.error("a watch of {} failed", request.target().type().groupResource(), unexpected);
            failure = unexpected;
        }
        take();
    }

    private FrameSource source() {
        return Objects.requireNonNull(source);
    }

    private FrameSink sink() {
        return Objects.requireNonNull(sink);
    }

    /** There may be something to do. Returns at once; for any thread. */
    void wake() {
        if (signals.getAndIncrement() == 0) {
            take();
        }
    }

    /** Ends the watch as one that is complete, after what is under way. */
    @Override
    public void end() {
        ending = true;
        wake();
    }

    @Override
    public void cutOff() {
        fail(new TimeoutException("the client of a watch that had to end took too long to read"));
    }

    /** Cuts the watch off: its client is gone, or can't be reached. */
    void fail(Throwable cause) {
        failure = cause;
        wake();
    }

    private void take() {
        try {
            shared.threads().execute(this::turn);
        } catch (RejectedExecutionException stopped) {
            // Nothing runs any more: whoever stopped the threads has cut the connections.
            LOG.debug("a watch was woken after the end", stopped);
        }
    }

    private void turn() {
        int seen = signals.get();
        boolean more = false;
        try {
            more = !over && advance();
            // A thread that all watches share must outlive what one of them meets.
        } catch (RuntimeException | Error unexpected) {
            LOG.error("a watch of {} failed", request.target().type().groupResource(), unexpected);
            finish(unexpected);
        }
        if (more || !signals.compareAndSet(seen, 0)) {
            take();
        }
    }

    /** One turn; whether there is more to do at once. */
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
            finish(null);
            return false;
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
        // The end of a write that lasts takes the next turn.
        return !writing && (ending || portion.next() == FrameSource.Next.AT_ONCE);
    }

    private void write(List<byte[]> frames, Consumer<Callback> begin) {
        writing = true;
        var write = new Write();
        last = write;
        begin.accept(write);
        write.begun = true;
        write.since = System.nanoTime() | 1;
        if (!write.done) {
            write.waitWith(frames);
        }
    }

    /** The end of a write, good or bad, in time or not. */
    private final class Write implements Callback {
        private final Thread beginner = Thread.currentThread();
        private boolean begun;
        /** When it had begun, by {@link System#nanoTime}; 0 before. */
        private volatile long since;

        private volatile boolean done;
        private volatile boolean waits;

        /** The client has not taken all of it; it may just do so. */
        void waitWith(List<byte[]> frames) {
            waits = true;
            shared.pending()
                    .add(this, frames, () -> fail(new TimeoutException("too many clients of watches do not read")));
            if (done) {
                shared.pending().end(this);
            }
        }

        void end() {
            done = true;
            if (waits) {
                shared.pending().end(this);
            }
        }

        @Override
        public void succeeded() {
            boolean atOnce = Thread.currentThread() == beginner && !begun;
            end();
            writing = false;
            // Most writes are done before they return, to the turn that goes on then.
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

        boolean lasts(long now) {
            return since != 0 && !done && now - since > shared.limits().write().toNanos();
        }
    }

    private long bookmarkAfter(long now) {
        long last = deadline - TimeUnit.SECONDS.toNanos(LAST_BOOKMARK_SECONDS);
        // A watch that is about to end had its last one.
        return !request.options().bookmarks() || now - last >= 0
                ? deadline
                : now + Math.min(shared.limits().betweenBookmarks().toNanos(), last - now);
    }

    /** Looks whether a time has come; called now and then, by one thread for all watches. */
    void tick(long now) {
        Write write = last;
        if (write != null && write.lasts(now)) {
            fail(new TimeoutException(
                    "the client of a watch read nothing for " + shared.limits().write()));
        } else if (now - deadline >= 0) {
            end();
        } else if (now - nextBookmark >= 0 && !bookmarkDue) {
            bookmarkDue = true;
            wake();
        }
    }

    private void finish(@Nullable Throwable cause) {
        if (over) {
            return;
        }
        over = true;
        source().close();
        meters.running().decrementAndGet();
        Write write = last;
        try {
            if (cause == null) {
                sink().end();
            } else {
                LOG.debug("a watch is cut off", cause);
                sink().abort(cause);
            }
        } finally {
            if (write != null) {
                write.end();
            }
            if (onOver != null) {
                onOver.run();
            }
        }
    }
}
