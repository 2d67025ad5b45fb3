package io.plat.process;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads and executors for tasks that end; a task that repeats is a {@link BackgroundLoop}. */
public final class Tasks {
    private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);
    private static final long IDLE_SECONDS = 30;

    private Tasks() {}

    /** Starts a task on a daemon platform thread: a computation on a virtual thread would block the others. */
    public static Thread platform(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(logged(name, task));
    }

    /** Starts a task on a virtual thread, where it may wait. */
    public static Thread virtual(String name, Runnable task) {
        return Thread.ofVirtual().name(name).start(logged(name, task));
    }

    /** Starts a task on a virtual thread once a time has passed. */
    public static void later(String name, Duration after, Runnable task) {
        virtual(name, () -> {
            try {
                Thread.sleep(after);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            task.run();
        });
    }

    private static Runnable logged(String name, Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("a task failed: task={}", name, failure);
            }
        };
    }

    /** Registers a task that runs when the process exits. */
    public static void atExit(String name, Runnable task) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name(name).unstarted(task));
    }

    /** Returns an executor with a virtual thread for each task; the number of tasks is bounded by its owner. */
    public static ExecutorService virtualThreads(String name) {
        // Names without numbers, as formatting one costs time for each thread.
        return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name).factory());
    }

    /**
     * Returns an executor with a limited number of daemon platform threads, which end when they are idle.
     *
     * @param maxThreads maximum number of threads
     * @param rejected handler of tasks beyond that
     * @param loader context class loader of the threads; null for the default
     */
    public static ExecutorService platformThreads(
            String name, int maxThreads, RejectedExecutionHandler rejected, @Nullable ClassLoader loader) {
        ThreadFactory factory = Thread.ofPlatform()
                .daemon()
                .name(name + "-", 0)
                .inheritInheritableThreadLocals(loader == null)
                .factory();
        ThreadFactory threads = task -> {
            Thread thread = factory.newThread(task);
            if (loader != null) {
                thread.setContextClassLoader(loader);
            }
            return thread;
        };
        return new ThreadPoolExecutor(
                0, maxThreads, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threads, rejected);
    }

    /** Returns a work-stealing pool of daemon threads, one for each processor and at least two, for tasks that never wait. */
    public static ExecutorService processors(String name) {
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                pool -> {
                    var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName(name + "-" + thread.getPoolIndex());
                    return thread;
                },
                null,
                true);
    }

    /** Returns a scheduler with one daemon thread. Canceled tasks are removed. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        var timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name(name).factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Returns where an exception was thrown, for logs without its message, which could contain a request or a secret. */
    public static String throwLocation(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? "an unknown location" : trace[0].toString();
    }

    /** Returns the message of the innermost cause of a failure, or the cause's type without one. */
    public static String innermostMessage(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    }

    /** Waits until a thread has ended, even if the calling thread is interrupted. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
