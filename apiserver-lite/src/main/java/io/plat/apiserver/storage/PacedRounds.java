package io.plat.apiserver.storage;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done on a thread of its own again and again with a pause between, until it is closed, and what is done at the end. */
final class PacedRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PacedRounds.class);

    private final Duration pause;
    private final Round round;
    private final Runnable end;
    private final Semaphore stop = new Semaphore(0);
    private final Thread thread;

    /** One of them; one that fails is followed by the next. */
    interface Round {
        void run() throws StorageException;
    }

    /**
     * Rounds that have not begun.
     *
     * @param name the thread's
     * @param end done once, on the same thread, when there are no more rounds
     */
    PacedRounds(String name, Duration pause, Round round, Runnable end) {
        this.pause = pause;
        this.round = round;
        this.end = end;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /** Begins with the first, at once; {@link IllegalThreadStateException} if they have begun. */
    void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                try {
                    round.run();
                } catch (StorageException e) {
                    // The store tells whoever reads or writes; here there is only to try again.
                    LOG.debug("{}: {}", Thread.currentThread().getName(), e.getMessage());
                }
            } while (!stop.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end.run();
        }
    }

    /** Returns when the round that is under way, and the end, are over; at once if none has begun. */
    @Override
    public void close() {
        stop.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
