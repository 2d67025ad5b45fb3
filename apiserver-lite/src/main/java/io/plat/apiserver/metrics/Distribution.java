package io.plat.apiserver.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many values lie between given bounds, and their sum. For any number of threads. */
final class Distribution {
    private final long[] bounds;
    /** A count for each bound, one for what exceeds all, and the sum. */
    private final AtomicLongArray values;

    /** No values; the bounds are in order and must not be changed. */
    Distribution(long[] bounds) {
        this.bounds = bounds;
        this.values = new AtomicLongArray(bounds.length + 2);
    }

    void add(long value) {
        int place = 0;
        while (place < bounds.length && value > bounds[place]) {
            place++;
        }
        values.incrementAndGet(place);
        values.addAndGet(bounds.length + 1, value);
    }

    /** How many values each bound is the first for that is not smaller, and behind these how many exceed all. */
    long[] counts() {
        long[] counts = new long[bounds.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = values.get(i);
        }
        return counts;
    }

    long sum() {
        return values.get(bounds.length + 1);
    }
}
