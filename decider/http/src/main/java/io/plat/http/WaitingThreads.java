package io.plat.http;

import io.plat.process.Tasks;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Threads for requests that wait for a remote decider. The first few at a time have platform threads, which the kernel wakes with
 * the answer; a virtual thread is woken by another one that polls, which costs more than the question. However many wait, none
 * waits for a thread: beyond those few each has a virtual one.
 */
public final class WaitingThreads implements Executor, AutoCloseable {
    /** As many as wait at a time in a busy server, where each waits for a fraction of a millisecond. */
    static final int PLATFORM = 32;

    /** A quarter of the threads that read connections, so that there are always others to read. */
    static final int HERE = 8;

    private final ExecutorService further;
    private final ExecutorService few;
    private final Semaphore here = new Semaphore(HERE);

    /**
     * Creates threads of a name.
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
     * Runs a task on a thread that may wait: the calling one, if that may and few others do it at this time.
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
        // In this order: tasks that the first one rejects from now on reach one that rejects too.
        further.shutdownNow();
        few.shutdownNow();
    }
}
