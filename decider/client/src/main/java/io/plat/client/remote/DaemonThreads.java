package io.plat.client.remote;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Loops on daemon threads. A round that throws is repeated after a second. */
final class DaemonThreads implements HostProgram {
    private static final System.Logger LOG = System.getLogger("io.plat.client");
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    @Override
    public Loop loop(String name, boolean mostlyWaits, Round round) {
        return new DaemonLoop(name, round);
    }

    /** Returns an executor that all clients of the process share; idle threads end. */
    @Override
    public Executor executor() {
        return Waiting.THREADS;
    }

    private static final class Waiting {
        private static final int MAX_THREADS = 64;
        private static final int MAX_WAITING = 10_000;

        static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
                MAX_THREADS,
                MAX_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                task -> daemon("check", task));

        static {
            THREADS.allowCoreThreadTimeOut(true);
        }
    }

    @Override
    public void log(System.Logger.Level level, String line) {
        LOG.log(level, line);
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "plat-client-" + name);
        thread.setDaemon(true);
        return thread;
    }

    private static final class DaemonLoop implements Loop {
        private final Round round;
        private final Thread thread;
        private final Semaphore signals = new Semaphore(0);
        private volatile boolean closed;

        DaemonLoop(String name, Round round) {
            this.round = round;
            this.thread = daemon(name, this::repeat);
        }

        private void repeat() {
            while (!closed) {
                Duration wait;
                try {
                    wait = round.perform();
                } catch (InterruptedException e) {
                    wait = Duration.ZERO;
                } catch (Throwable failure) {
                    // Errors too: otherwise the loop would end unnoticed.
                    LOG.log(System.Logger.Level.ERROR, thread.getName() + " failed and is repeated", failure);
                    wait = AFTER_FAILURE;
                }
                await(wait);
            }
        }

        private void await(Duration wait) {
            try {
                if (!closed && signals.tryAcquire(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                    signals.drainPermits();
                }
            } catch (InterruptedException e) {
                // The loop was closed, which is checked next.
            }
        }

        @Override
        public void start() {
            thread.start();
        }

        @Override
        public void signal() {
            signals.release();
        }

        @Override
        public void finish() {
            closed = true;
            signals.release();
        }

        @Override
        public void close() {
            finish();
            thread.interrupt();
        }
    }
}
