package io.plat.apiserver.metrics;

import java.util.Arrays;

/** Histogram buckets of kube-apiserver. */
final class HistogramBuckets {
    /** Request durations, in seconds; the last bucket is unbounded. */
    static final double[] SECONDS = Arrays.stream(
                    "0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1 1.25 1.5 2 3 4 5 6 8 10 15 20 30 45 60 Infinity"
                            .split(" ", -1))
            .mapToDouble(Double::parseDouble)
            .toArray();

    /** Response sizes, in bytes. */
    static final double[] SIZES = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, Double.POSITIVE_INFINITY};

    /** {@link #SECONDS} in nanoseconds, without the last. */
    static final long[] NANOS =
            finite(Arrays.stream(SECONDS).map(seconds -> seconds * 1e9).toArray());

    /** {@link #SIZES} without the last. */
    static final long[] BYTES = finite(SIZES);

    private HistogramBuckets() {}

    private static long[] finite(double[] bounds) {
        return Arrays.stream(bounds)
                .filter(Double::isFinite)
                .mapToLong(Math::round)
                .toArray();
    }
}
