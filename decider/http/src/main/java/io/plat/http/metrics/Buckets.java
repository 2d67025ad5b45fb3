package io.plat.http.metrics;

import java.time.Duration;

/** Buckets for seconds: a decision from memory is within the first, the last ones are for blocking ones. */
final class Buckets {
    private static final long[] MICROS = {
        50,
        100,
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000,
        30_000_000,
        60_000_000
    };

    private Buckets() {}

    static Duration[] all() {
        Duration[] bounds = new Duration[MICROS.length];
        for (int i = 0; i < MICROS.length; i++) {
            bounds[i] = Duration.ofNanos(1_000 * MICROS[i]);
        }
        return bounds;
    }
}
