package io.plat.http.lines;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Keeps a message that could come with every decision from being told more than once a minute. Safe for any number of threads. */
final class Quiet {
    private static final long NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicLong until;

    Quiet(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.until = new AtomicLong(nanoTime.getAsLong());
    }

    void unlessRecent(Runnable message) {
        long now = nanoTime.getAsLong();
        long end = until.get();
        if (now - end >= 0 && until.compareAndSet(end, now + NANOS)) {
            message.run();
        }
    }
}
