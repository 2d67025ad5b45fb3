package io.plat.apiserver.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Time series of requests with equal labels except the code: counts, durations and response sizes. Thread-safe. */
final class Series {
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

    private static final String[] SIZE_NAMES = {
        "component", "group", "resource", "scope", "subresource", "verb", "version"
    };
    private static final String[] NAMES = {
        "component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version"
    };

    /**
     * Common labels.
     *
     * @param group API group
     * @param version API version
     * @param resource resource; {@code ""} for a path and for unserved resources
     * @param subresource subresource, or path
     * @param scope {@code cluster}, {@code namespace}, {@code resource}; {@code ""} for a path
     * @param dryRun {@code ""}, {@code All} or {@code invalid}
     * @param component {@code apiserver}, or {@code ""} for what any server has
     */
    record SeriesKey(
            RequestMeters.RequestVerb verb,
            String group,
            String version,
            String resource,
            String subresource,
            String scope,
            String dryRun,
            String component) {
        private Labels labels() {
            return Labels.of(
                    NAMES,
                    new String[] {component, dryRun, group, resource, scope, subresource, verb.label(), version});
        }

        private Labels sizeLabels() {
            return Labels.of(
                    SIZE_NAMES, new String[] {component, group, resource, scope, subresource, verb.label(), version});
        }
    }

    private record CodeCount(int code, AtomicLong count) {}

    private final SeriesKey what;
    private final Histogram seconds = new Histogram(NANOS);
    private final @Nullable Histogram sizes;
    /** Few, so that a linear search is fastest; copied on write. */
    private volatile CodeCount[] answers = {};

    Series(SeriesKey what) {
        this.what = Objects.requireNonNull(what);
        this.sizes = what.verb().sized() ? new Histogram(BYTES) : null;
    }

    void add(int code, long nanos, long bytes) {
        count(code).incrementAndGet();
        seconds.add(nanos);
        if (sizes != null) {
            sizes.add(bytes);
        }
    }

    private AtomicLong count(int code) {
        for (CodeCount answered : answers) {
            if (answered.code() == code) {
                return answered.count();
            }
        }
        return newCount(code);
    }

    private synchronized AtomicLong newCount(int code) {
        CodeCount[] known = answers;
        for (CodeCount answered : known) {
            if (answered.code() == code) {
                return answered.count();
            }
        }
        var added = new CodeCount(code, new AtomicLong());
        CodeCount[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = added;
        answers = more;
        return added.count();
    }

    void showCounts(CounterSnapshot.Builder into) {
        Labels labels = what.labels();
        for (CodeCount answered : answers) {
            into.dataPoint(CounterSnapshot.CounterDataPointSnapshot.builder()
                    .value((double) answered.count().get())
                    .labels(labels.add("code", Integer.toString(answered.code())))
                    .build());
        }
    }

    void showSeconds(HistogramSnapshot.Builder into) {
        into.dataPoint(point(seconds.counts(), SECONDS, seconds.sum() / 1e9, what.labels()));
    }

    void showSizes(HistogramSnapshot.Builder into) {
        if (sizes != null) {
            into.dataPoint(point(sizes.counts(), SIZES, (double) sizes.sum(), what.sizeLabels()));
        }
    }

    private static HistogramDataPointSnapshot point(long[] counts, double[] bounds, double sum, Labels labels) {
        HistogramDataPointSnapshot.Builder point = HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts));
        point.sum(sum);
        point.labels(labels);
        return point.build();
    }

    /** Histogram. Thread-safe. */
    private static final class Histogram {
        private final long[] bounds;
        /** A count per bucket, one for the unbounded bucket, and the sum. */
        private final AtomicLongArray values;

        /** Creates an empty histogram; the bounds are sorted and must not be modified. */
        Histogram(long[] bounds) {
            this.bounds = bounds;
            this.values = new AtomicLongArray(bounds.length + 2);
        }

        void add(long value) {
            int bucket = 0;
            while (bucket < bounds.length && value > bounds[bucket]) {
                bucket++;
            }
            values.incrementAndGet(bucket);
            values.addAndGet(bounds.length + 1, value);
        }

        /** Returns the count of each bucket, including the unbounded one. */
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

    private static long[] finite(double[] bounds) {
        return Arrays.stream(bounds)
                .filter(Double::isFinite)
                .mapToLong(Math::round)
                .toArray();
    }
}
