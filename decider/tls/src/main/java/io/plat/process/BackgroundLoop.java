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
 * A supervised loop on its own thread. If its work throws, the loop counts a restart, pauses briefly, restarts the work from a clean state and
 * continues. From the failure until the completion of the next round, the loop's component is not current.
 */
public final class BackgroundLoop implements AutoCloseable {
    /** Returned by a round to wait for the next signal. */
    public static final Duration UNTIL_SIGNAL = Duration.ofDays(365);

    /** Returned by a round to run the next one at once, whether or not there is a signal. */
    public static final Duration NONE = Duration.ZERO;

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);
    private static final long MIN_BACKOFF = Duration.ofMillis(10).toNanos();
    private static final long MAX_BACKOFF = Duration.ofSeconds(1).toNanos();

    private static final ConcurrentMap<String, LongAdder> RESTARTS = new ConcurrentHashMap<>();

    /** Running loops, for fault injection in tests. */
    static final Set<BackgroundLoop> RUNNING = ConcurrentHashMap.newKeySet();

    private final String name;
    private final Work work;
    private final Freshness freshness;
    private final LongAdder restarts;
    private final Thread thread;
    private final AtomicBoolean signaled = new AtomicBoolean();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private long backoff = MIN_BACKOFF;
    private long failedAt;

    /** The work of a loop. All methods are called by the loop's thread. */
    public interface Work {
        /** Begins from a clean state, regardless of earlier rounds: called first, and after every failure. */
        default void begin() throws Exception {}

        /** Performs one round; returns how long to wait for a signal before the next one. */
        Duration round() throws Exception;

        /** Handles the end of the loop. Called once. */
        default void end() {}
    }

    /** Points of a loop at which a test can inject a fault. */
    enum FaultPoint {
        BEGIN,
        BEFORE_ROUND,
        AFTER_ROUND
    }

    private record Fault(FaultPoint point, Throwable thrown) {}

    private BackgroundLoop(String name, Thread.Builder threads, Freshness freshness, Work work) {
        this.name = name;
        this.work = work;
        this.freshness = freshness;
        this.restarts = RESTARTS.computeIfAbsent(name, any -> new LongAdder());
        this.thread = threads.name(name).unstarted(this::run);
    }

    /** Creates a loop on a daemon platform thread, which does not compete with requests for carrier threads. */
    public static BackgroundLoop platform(String name, Work work) {
        return new BackgroundLoop(name, Thread.ofPlatform().daemon(), new Freshness(name, Freshness.BOUND), work);
    }

    /** Creates such a loop for a component that others depend on. */
    public static BackgroundLoop platform(String name, Freshness freshness, Work work) {
        return new BackgroundLoop(name, Thread.ofPlatform().daemon(), freshness, work);
    }

    /** Creates a loop on a virtual thread: for work that mostly waits, or whose blocked reads must end when it is interrupted. */
    public static BackgroundLoop virtual(String name, Work work) {
        return new BackgroundLoop(name, Thread.ofVirtual(), new Freshness(name, Freshness.BOUND), work);
    }

    /** Returns the names of all loops ever created in this process. */
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

    /** Starts the loop. Must be called once. */
    public BackgroundLoop start() {
        thread.start();
        return this;
    }

    /** Makes the next round begin at once. Several signals may cause a single round. */
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
                // Errors too: otherwise the loop would end unnoticed.
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
        failIfInjected(FaultPoint.BEGIN);
        work.begin();
        while (!closed) {
            failIfInjected(FaultPoint.BEFORE_ROUND);
            Duration wait = work.round();
            failIfInjected(FaultPoint.AFTER_ROUND);
            freshness.caughtUp();
            await(wait.toNanos());
            signaled.set(false);
            freshness.begin();
        }
    }

    private void await(long nanos) throws InterruptedException {
        long begin = System.nanoTime();
        for (long remaining = nanos;
                remaining > 0 && !closed && !signaled.get();
                remaining = nanos - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(this, remaining);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Handles a failure. Must not throw, even if memory is exhausted. */
    private void failed(Throwable failure) {
        try {
            if (closed) {
                return;
            }
            freshness.changed();
            restarts.increment();
            long now = System.nanoTime();
            boolean again = failedAt != 0 && now - failedAt < 2 * MAX_BACKOFF;
            backoff = again ? Math.min(2 * backoff, MAX_BACKOFF) : MIN_BACKOFF;
            failedAt = now | 1;
            if (!again) {
                report(failure);
            }
            long until = now + backoff;
            for (long remaining = backoff; remaining > 0 && !closed; remaining = until - System.nanoTime()) {
                LockSupport.parkNanos(this, remaining);
                // A pending interrupt would make this loop spin; close() interrupts it again.
                var _ = Thread.interrupted();
            }
        } catch (Throwable second) {
            // Probably there is no memory to report the first failure; the restart matters more.
            Thread.onSpinWait();
        }
    }

    /** Logs a failure. A checked exception is an expected one, such as an I/O error; anything else is a bug, or exhausted memory. */
    private void report(Throwable failure) {
        if (failure instanceof RuntimeException || failure instanceof Error) {
            LOG.error("a background loop failed and is restarted: loop={}", name, failure);
        } else {
            LOG.warn("a background loop is restarted: loop={} cause={}", name, failure.getMessage());
        }
    }

    /** Makes the loop fail once at a point, for tests. */
    void injectFault(FaultPoint point, Throwable thrown) {
        if (point == FaultPoint.BEGIN) {
            faults.add(new Fault(FaultPoint.BEFORE_ROUND, thrown));
        }
        faults.add(new Fault(point, thrown));
        wake();
    }

    private void failIfInjected(FaultPoint point) throws Exception {
        Fault injected = faults.peek();
        if (injected != null && injected.point() == point) {
            faults.remove();
            switch (injected.thrown()) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                default -> throw new IllegalStateException(injected.thrown());
            }
        }
    }

    /** Returns whether the calling thread is the loop's. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Ends the loop after the current round, which is not interrupted. */
    public void finish() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Ends the loop and interrupts the current round. Does not wait for the end. */
    @Override
    public void close() {
        finish();
        thread.interrupt();
    }

    /**
     * Waits until the loop has ended; returns at once if it was never started.
     *
     * @return false on a timeout
     */
    public boolean join(Duration atMost) throws InterruptedException {
        return thread.getState() == Thread.State.NEW || thread.join(atMost);
    }

    /** Waits until the loop has ended, even if the calling thread is interrupted; returns at once if it was never started. */
    public void join() {
        Tasks.join(thread);
    }
}
