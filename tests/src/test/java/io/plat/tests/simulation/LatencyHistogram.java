package io.plat.tests.simulation;

import java.util.Arrays;

/** Histogram of durations in nanoseconds, with a resolution of about 3 %. */
final class LatencyHistogram {
    private static final int STEPS_PER_DOUBLING = 23;
    private static final double STEP = Math.log(2) / STEPS_PER_DOUBLING;

    private final long[] counts = new long[64 * STEPS_PER_DOUBLING];
    private long count;
    private long max;
    private double sum;

    void add(long nanos) {
        counts[(int) (Math.log((double) Math.max(1, nanos)) / STEP)]++;
        count++;
        sum += nanos;
        max = Math.max(max, nanos);
    }

    long count() {
        return count;
    }

    /** Returns the mean in microseconds; 0 if empty. */
    double meanMicros() {
        return count == 0 ? 0 : sum / count / 1e3;
    }

    /** Returns the maximum in microseconds; 0 if empty. */
    double maxMicros() {
        return max / 1e3;
    }

    /** Returns a quantile in microseconds; 0 if empty. */
    double micros(double quantile) {
        long desired = (long) Math.ceil(quantile * count);
        long cumulative = 0;
        for (int i = 0; i < counts.length && count > 0; i++) {
            cumulative += counts[i];
            if (cumulative >= desired) {
                return Math.min(Math.exp((i + 1) * STEP), (double) max) / 1e3;
            }
        }
        return 0;
    }

    void clear() {
        Arrays.fill(counts, 0);
        count = 0;
        max = 0;
        sum = 0;
    }
}
