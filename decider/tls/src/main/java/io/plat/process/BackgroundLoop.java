package io.plat.process;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A supervised loop on a thread of its own. If its work throws, the loop counts a restart, waits a little, has the work begin from a clean state
 * and continues. From the failure until the work has begun and completed a round, the loop's component is not current.
 */
public final class BackgroundLoop implements AutoCloseable {
    /** The wait of a round after which there is nothing to do before the next signal. */
    public static final Duration UNTIL_SIGNAL = Duration.ofDays(365);

    /** The wait of a round that is followed by the next one, be there a signal or not. */
    public static final Duration NONE = Duration.ZERO;

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);
    private static final long SHORTEST_BACKOFF = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_BACKOFF = Duration.ofSeconds(1).toNanos();

    private static final ConcurrentMap<String, LongAdder> RESTARTS = new ConcurrentHashMap<>();

    /** Loops that run now; for tests, which plant faults in them. */
    static final Set<BackgroundLoop> RUNNING = ConcurrentHashMap.newKeySet();

    private final String name;
    private final Work work;
    private final Freshness freshness;
    private final LongAdder restarts;
    private final Thread thread;
    private final AtomicBoolean signaled = new AtomicBoolean();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private long backoff = SHORTEST_BACKOFF;
    private long failedAt;

    /** The work of a loop. All methods are called by the loop's thread. */
    public interface Work {
        /** Begins from a clean state, regardless of earlier rounds: called first, and after every failure. */
        default void begin() throws Exception {}

        /** Performs one round; returns how long to wait for a signal before the next one. */
        Duration round() throws Exception;

        /** Called once, when the loop ends. */
        default void end() {}
    }

    /** Places of a loop where a test can plant a fault. */
    enum Moment {
        BEGIN,
        BEFORE_ROUND,
        AFTER_ROUND
    }

    private record Fault(Moment moment, Throwable thrown) {}

    private BackgroundLoop(String name, Thread.Builder threads, Freshness freshness, Work work) {
        this.name = name;
        this.work = work;
        this.freshness = freshness;
        this.restarts = RESTARTS.computeIfAbsent(name, any -> new LongAdder());
        this.thread = threads.name(name).unstarted(this::run);
    }

    /** A loop on a daemon thread of the platform, which does not compete with requests for carrier threads. Not started yet. */
    public static BackgroundLoop platform(String name, Work work) {
        return new BackgroundLoop(name, Thread.ofPlatform().daemon(), new Freshness(name, Freshness.BOUND), work);
    }

    /** The same, for a component that others depend on. */
    public static BackgroundLoop platform(String name, Freshness freshness, Work work) {
        return new BackgroundLoop(name, Thread.ofPlatform().daemon(), freshness, work);
    }

    /** A loop on a virtual thread: for work that mostly waits, or whose blocked reads are to end when it is interrupted. */
    public static BackgroundLoop virtual(String name, Work work) {
        return new BackgroundLoop(name, Thread.ofVirtual(), new Freshness(name, Freshness.BOUND), work);
    }

    /** Names of all loops that were ever created in this process. */
    public static Set<String> names() {
        return new TreeSet<>(RESTARTS.keySet());
    }

    /** Returns the number of restarts of loops of a name after a failure. */
    public static long restarts(String name) {
        return RESTARTS.getOrDefault(name, new LongAdder()).sum();
    }

    public String name() {
        return name;
    }

    /** Returns the freshness of the state that the loop maintains. */
    public Freshness freshness() {
        return freshness;
    }

    /** Starts the loop. To be called once. */
    public BackgroundLoop start() {
        thread.start();
        return this;
    }

    /** Has the next round begin at once. Several signals may be one for the work. */
    public void signal() {
        freshness.changed();
        wake();
    }

    private void wake() {
        if (!signaled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        RUNNING.add(this);
        while (!closed) {
            try {
                supervised();
                // Also an Error: otherwise the end of the work would remain unnoticed.
            } catch (Throwable failure) {
                failed(failure);
            }
        }
        RUNNING.remove(this);
        try {
            work.end();
        } catch (RuntimeException | Error failure) {
            LOG.error("a background loop failed while it stopped: loop={}", name, failure);
        }
    }

    private void supervised() throws Exception {
        freshness.begin();
        meet(Moment.BEGIN);
        work.begin();
        while (!closed) {
            meet(Moment.BEFORE_ROUND);
            Duration wait = work.round();
            meet(Moment.AFTER_ROUND);
            freshness.caughtUp();
            await(wait.toNanos());
            signaled.set(false);
            freshness.begin();
        }
    }

    private void await(long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        for (long left = nanos; left > 0 && !closed && !signaled.get(); left = nanos - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Must not throw, even without memory. */
    private void failed(Throwable failure) {
        try {
            if (closed) {
                return;
            }
            freshness.changed();
            restarts.increment();
            long now = System.nanoTime();
            boolean again = failedAt != 0 && now - failedAt < 2 * LONGEST_BACKOFF;
            backoff = again ? Math.min(2 * backoff, LONGEST_BACKOFF) : SHORTEST_BACKOFF;
            failedAt = now | 1;
            if (!again) {
                report(failure);
            }
            long until = now + backoff;
            for (long left = backoff; left > 0 && !closed; left = until - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                // A pending interrupt would have this loop spin; a real one comes with close().
                var _ = Thread.interrupted();
            }
        } catch (Throwable further) {
            // Most likely there is no memory to report the first one; the restart matters more.
            Thread.onSpinWait();
        }
    }

    /** A checked exception is a failure that the work expects of its surroundings; anything else is a bug, or no memory. */
    private void report(Throwable failure) {
        if (failure instanceof RuntimeException || failure instanceof Error) {
            LOG.error("a background loop failed and is restarted: loop={}", name, failure);
        } else {
            LOG.warn("a background loop is restarted: loop={} cause={}", name, failure.getMessage());
        }
    }

    /** Has the loop fail at a moment, once. For tests. */
    void plant(Moment moment, Throwable thrown) {
        if (moment == Moment.BEGIN) {
            faults.add(new Fault(Moment.BEFORE_ROUND, thrown));
        }
        faults.add(new Fault(moment, thrown));
        wake();
    }

    private void meet(Moment moment) throws Exception {
        Fault planted = faults.peek();
        if (planted != null && planted.moment() == moment) {
            faults.remove();
            switch (planted.thrown()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                default -> throw new IllegalStateException(planted.thrown());
            }
        }
    }

    /** Returns whether the calling thread is the loop's. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Ends the loop after the round that is running, which is not interrupted. */
    public void finish() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Ends the loop, and interrupts the round that is running. Does not wait for the end. */
    @Override
    public void close() {
        finish();
        thread.interrupt();
    }

    /**
     * Waits until the loop has ended; returns at once if it was never started.
     *
     * @return false if the time passed before
     */
    public boolean join(Duration atMost) throws InterruptedException {
        return thread.getState() == Thread.State.NEW || thread.join(atMost);
    }

    /** Waits until the loop has ended, however often the calling thread is interrupted; returns at once if it was never started. */
    public void join() {
        Tasks.uninterrupted(thread);
    }
}
