package io.plat.http.lines;

import java.time.Duration;
import java.util.Objects;

/**
 * Size of batches.
 *
 * @param most maximum number of lines
 * @param bytes maximum size, unless a single line has more
 * @param gathering how long the first line waits for others if no caller waits for it, so that a busy server does not wake a thread for each
 */
public record Batches(int most, int bytes, Duration gathering) {
    public static final Batches OF_FILES = new Batches(512, 64 << 10, Duration.ofMillis(10));

    public Batches {
        if (most < 1 || bytes < 1) {
            throw new IllegalArgumentException("no batch: " + most + " lines, " + bytes + " bytes");
        }
        Objects.requireNonNull(gathering);
    }

    /** The same for a log whose lines are waited for. */
    Batches atOnce() {
        return new Batches(most, bytes, Duration.ZERO);
    }
}
