package io.plat.http;

import io.plat.process.Tasks;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Threads for requests that wait for a remote decider. A few platform threads are used first, as the kernel wakes them directly; waking a virtual
 * thread requires a poller thread, which costs more than the request. Beyond those few, each request has a virtual thread, so that none waits for a
 * thread.
 */
public final class WaitingThreads implements Executor, AutoCloseable {
    /** Number of platform threads: as many as wait concurrently in a busy server, each for a fraction of a millisecond. */
    static final int PLATFORM = 32;

    /** Maximum number of connection threads that wait: a quarter, so that others continue to read. */
    static final int HERE = 8;

    private final ExecutorService further;
    private final ExecutorService few;
    private final Semaphore here = new Semaphore(HERE);

    /**
     * Creates the threads.
     *
     * @param name the prefix of their names, followed by a number
     */
    public WaitingThreads(String name) {
        this.further = Tasks.virtualThreads(name + "-further");
        this.few = Tasks.platformThreads(name, PLATFORM, (task, full) -> further.execute(task), null);
    }

    /**
     * Runs a task on a thread that may wait.
     *
     * @throws RejectedExecutionException after {@link #close}
     */
    @Override
    public void execute(Runnable task) {
        few.execute(task);
    }

    /**
     * Runs a task on a thread that may wait: the calling thread, if it may and few others currently do.
     *
     * @param mayWait whether the calling thread may wait
     * @throws RejectedExecutionException after {@link #close}
     */
    public void execute(Runnable task, boolean mayWait) {
        if (mayWait && here.tryAcquire()) {
            try {
                task.run();
            } finally {
                here.release();
            }
        } else {
            few.execute(task);
        }
    }

    /** Interrupts blocked tasks, and accepts no further ones. */
    @Override
    public void close() {
        // In this order, as tasks rejected by the first executor are passed to the second one.
        further.shutdownNow();
        few.shutdownNow();
    }
}
