package io.plat.engine.matrix;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How long a matrix may take. */
final class Deadline {
    private final LongSupplier nanoTime;
    private final long end;
    private final Duration bound;

    Deadline(Duration bound, LongSupplier nanoTime) {
        this.bound = bound;
        this.nanoTime = nanoTime;
        this.end = nanoTime.getAsLong() + bound.toNanos();
    }

    void check() throws NoMatrixException {
        if (nanoTime.getAsLong() - end > 0) {
            throw new NoMatrixException(
                    "the matrix takes more than " + bound.toSeconds() + " s: ask about fewer resources or subjects");
        }
    }
}
