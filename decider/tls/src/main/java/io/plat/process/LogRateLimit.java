package io.plat.process;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limit of a log message to once a minute. Thread-safe. */
public final class LogRateLimit {
    private static final long NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicLong until;

    /**
     * Creates the limit of a message.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    public LogRateLimit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.until = new AtomicLong(nanoTime.getAsLong());
    }

    /** Logs the message unless one was logged within the last minute. */
    public void unlessRecent(Runnable message) {
        long now = nanoTime.getAsLong();
        long end = until.get();
        if (now - end >= 0 && until.compareAndSet(end, now + NANOS)) {
            message.run();
        }
    }
}
