package io.plat.http;

import io.plat.process.Tasks;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Threads for requests that wait, as for a remote decider. A number of platform threads are used first, as the kernel wakes them directly; waking a
 * virtual thread requires a poller thread, which costs more than the request. Beyond those, each request has a virtual thread, so that none waits
 * for a thread.
 */
public final class WaitingThreads implements Executor, AutoCloseable {
    /** Default number of platform threads: as many as wait concurrently in a busy server, each for a fraction of a millisecond. */
    static final int MAX_PLATFORM = 32;

    /** Maximum number of connection threads that wait: a quarter, so that others continue to read. */
    static final int MAX_CALLING = 8;

    private final ExecutorService virtualThreads;
    private final ExecutorService platformThreads;
    private final Semaphore callingThreads = new Semaphore(MAX_CALLING);

    /** Creates the threads, of which few are platform threads. */
    public WaitingThreads(String name) {
        this(name, MAX_PLATFORM);
    }

    /**
     * Creates the threads.
     *
     * @param name the prefix of their names, followed by a number
     * @param maxPlatform maximum number of platform threads
     */
    public WaitingThreads(String name, int maxPlatform) {
        this.virtualThreads = Tasks.virtualThreads(name + "-virtual");
        this.platformThreads =
                Tasks.platformThreads(name, maxPlatform, (task, full) -> virtualThreads.execute(task), null);
    }

    /**
     * Runs a task on a thread that may wait.
     *
     * @throws RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        platformThreads.execute(task);
    }

    /**
     * Runs a task on a thread that may wait: the calling thread, if it may and few others currently do.
     *
     * @param mayWait whether the calling thread may wait
     * @throws RejectedExecutionException after {@link #close}
     */
    public void execute(Runnable task, boolean mayWait) {
        if (mayWait && callingThreads.tryAcquire()) {
            try {
                task.run();
            } finally {
                callingThreads.release();
            }
        } else {
            platformThreads.execute(task);
        }
    }

    /** Interrupts blocked tasks, and accepts no further ones. */
    @Override
    public void close() {
        // In this order, as tasks rejected by the first executor are passed to the second one.
        virtualThreads.shutdownNow();
        platformThreads.shutdownNow();
    }
}
