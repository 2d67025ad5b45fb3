package io.plat.tests.simulation;

import java.util.Arrays;

/** Times that were taken, in nanoseconds, counted in steps of about 3 %. */
final class Times {
    private static final int STEPS_A_DOUBLING = 23;
    private static final double STEP = Math.log(2) / STEPS_A_DOUBLING;

    private final long[] counts = new long[64 * STEPS_A_DOUBLING];
    private long count;
    private long most;
    private double sum;

    void add(long nanos) {
        counts[(int) (Math.log((double) Math.max(1, nanos)) / STEP)]++;
        count++;
        sum += nanos;
        most = Math.max(most, nanos);
    }

    long count() {
        return count;
    }

    /** In microseconds; 0 of none. */
    double meanMicros() {
        return count == 0 ? 0 : sum / count / 1e3;
    }

    /** In microseconds; 0 of none. */
    double mostMicros() {
        return most / 1e3;
    }

    /** The time that this part of all stayed below, in microseconds; 0 of none. */
    double micros(double quantile) {
        long wanted = (long) Math.ceil(quantile * count);
        long seen = 0;
        for (int i = 0; i < counts.length && count > 0; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(Math.exp((i + 1) * STEP), (double) most) / 1e3;
            }
        }
        return 0;
    }

    void clear() {
        Arrays.fill(counts, 0);
        count = 0;
        most = 0;
        sum = 0;
    }
}
