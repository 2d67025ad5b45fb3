package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.follow.SourceException.Kind;
import java.time.Duration;
import java.util.function.LongSupplier;

/** When an answer has to be complete, however steadily it drips. */
final class Deadline {
    private final LongSupplier nanoTime;
    private final long end;
    private final Duration within;

    /**
     * A deadline that begins now.
     *
     * @param nanoTime nanoseconds that only grow
     */
    Deadline(Duration within, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.within = within;
        this.end = nanoTime.getAsLong() + within.toNanos();
    }

    void check() throws SourceException {
        if (nanoTime.getAsLong() - end > 0) {
            throw new SourceException(Kind.UNREACHABLE, "an answer goes on for more than " + within.toSeconds() + " s");
        }
    }
}
