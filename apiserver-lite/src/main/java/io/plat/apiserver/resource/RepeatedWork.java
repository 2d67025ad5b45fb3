package io.plat.apiserver.resource;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Work that is due when something changes. One thread, which sleeps while nothing does; what could not be done is tried again. */
public final class RepeatedWork implements AutoCloseable {
    private final Duration again;
    private final Work work;
    private final Semaphore signals = new Semaphore(1);
    private final Thread thread;
    private volatile boolean closed;

    /** What there is to do now, whatever changed. */
    @FunctionalInterface
    public interface Work {
        /** Does it; whether all of it is done. */
        boolean done();
    }

    /**
     * Work that has not begun, and is due once it does.
     *
     * @param name the thread's
     * @param again how soon what could not be done is tried again
     */
    public RepeatedWork(String name, Duration again, Work work) {
        this.again = again;
        this.work = work;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Begins. To be called once. */
    public void start() {
        thread.start();
    }

    /** Something changed. Returns at once; several signals may be one for the work. */
    public void signal() {
        signals.release();
    }

    private void run() {
        boolean left = false;
        try {
            while (!closed) {
                if (left) {
                    signals.tryAcquire(again.toMillis(), TimeUnit.MILLISECONDS);
                } else {
                    signals.acquire();
                }
                signals.drainPermits();
                left = !work.done();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
