package io.plat.http.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.plat.process.BackgroundLoop;
import io.plat.tls.LoadedCertificate;
import io.plat.tls.ReloadListener;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Common metrics of servers, and the registry for others. Thread-safe. */
public final class ServerMetrics implements AutoCloseable {
    /** The media type of {@link #text()}. */
    public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final long[] BUCKET_MICROS = {
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

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final RequestTimers timers = new RequestTimers(registry);
    private final LongAdder inFlight = new LongAdder();
    private final Set<String> loops = new HashSet<>();
    private final List<Runnable> beforeReading = new CopyOnWriteArrayList<>();
    private final List<Runnable> onReset = new CopyOnWriteArrayList<>();
    private final Counter rejected = Counter.builder("http.requests.refused")
            .description("Requests answered 429 because too many were in flight.")
            .register(registry);

    /** Creates a registry with the meters of the process and of its requests. */
    public ServerMetrics() {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new ProcessMeters().bindTo(registry);
        beforeReading(this::showLoops);
        Gauge.builder("http.requests.in.flight", inFlight, LongAdder::sum)
                .description("Requests in progress.")
                .register(registry);
    }

    private synchronized void showLoops() {
        for (String loop : BackgroundLoop.names()) {
            if (!loops.add(loop)) {
                continue;
            }
            FunctionCounter.builder("background.loop.restarts", loop, BackgroundLoop::restarts)
                    .description("Restarts of a background loop after a failure.")
                    .tag("loop", loop)
                    .register(registry);
        }
    }

    /** Returns the registry for a program's own meters. */
    public MeterRegistry registry() {
        return registry;
    }

    public Clock clock() {
        return registry.config().clock();
    }

    public void requestBegan() {
        inFlight.increment();
    }

    /**
     * Records the end of a request.
     *
     * @param nanos its duration
     */
    public void requestEnded(String method, int code, long nanos) {
        inFlight.decrement();
        timers.timer(method, code).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Restarts the counts and times of requests. Other meters continue. */
    public void resetRequests() {
        timers.reset();
        onReset.forEach(Runnable::run);
    }

    /** Registers an action for resets of the request counts, for other counters of requests. Must return at once. */
    public void onReset(Runnable reset) {
        onReset.add(reset);
    }

    /** Registers metrics that are not meters. */
    public void show(MultiCollector counts) {
        registry.getPrometheusRegistry().register(counts);
    }

    public long requestsInFlight() {
        return inFlight.sum();
    }

    /** Records a request that was refused because too many were in flight. */
    public void requestRefused() {
        rejected.increment();
    }

    /**
     * Registers the earliest expiry of the certificates in use with a name.
     *
     * @param what the name of the material
     * @param inUse supplies the certificates in use
     */
    public void certificates(String what, Supplier<List<LoadedCertificate>> inUse) {
        Gauge.builder("tls.certificate.expiration.timestamp.seconds", inUse, now -> earliest(what, now.get()))
                .description("Earliest expiration of the certificates in use, in seconds since the epoch.")
                .tag("what", what)
                // There is no other strong reference to the supplier.
                .strongReference(true)
                .register(registry);
    }

    private static double earliest(String what, List<LoadedCertificate> inUse) {
        return inUse.stream()
                .filter(certificate -> certificate.what().equals(what))
                .mapToDouble(LoadedCertificate::notAfterEpochSeconds)
                .min()
                .orElse(Double.NaN);
    }

    /** Returns a listener that counts reloads of key and certificate files. */
    public ReloadListener certificateReloads() {
        return (what, problem) -> reloads(what, problem.isEmpty()).increment();
    }

    /**
     * Returns a counter of reloads with one outcome.
     *
     * @param what the name of the material, such as {@code policy}
     * @param success whether it counts successful ones
     */
    public Counter reloads(String what, boolean success) {
        return Counter.builder("reloads")
                .description("Reloads of configuration files, by file and result.")
                .tag("what", what)
                .tag("result", success ? "success" : "failure")
                .register(registry);
    }

    /** Registers an action before each reading of the meters, for those whose labels change. Must return at once. */
    public void beforeReading(Runnable refresh) {
        beforeReading.add(refresh);
    }

    /** Returns the buckets of timers: decisions from memory are within the first, the last ones are for blocking ones. */
    public static Duration[] buckets() {
        return LongStream.of(BUCKET_MICROS)
                .mapToObj(micros -> Duration.ofNanos(1_000 * micros))
                .toArray(Duration[]::new);
    }

    /** Returns all metrics in the Prometheus text format. */
    public synchronized String text() {
        beforeReading.forEach(Runnable::run);
        return registry.scrape();
    }

    @Override
    public void close() {
        registry.close();
    }

    /**
     * Timers of {@code http_request_duration_seconds} by method and code. Unknown methods share one name, and invalid codes share the nearest one,
     * so that clients cannot create series.
     */
    private static final class RequestTimers {
        private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

        private final MeterRegistry registry;
        private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

        private record Key(String method, int code) {}

        RequestTimers(MeterRegistry registry) {
            this.registry = registry;
        }

        Timer timer(String method, int code) {
            Key key = new Key(METHODS.contains(method) ? method : "OTHER", Math.clamp(code, 100, 599));
            @Nullable Timer known = timers.get(key);
            return known != null ? known : timers.computeIfAbsent(key, this::register);
        }

        private Timer register(Key key) {
            return Timer.builder("http.request.duration")
                    .description("Duration of a request, from its headers to the end of the response.")
                    .tag("method", key.method())
                    .tag("code", Integer.toString(key.code()))
                    .serviceLevelObjectives(buckets())
                    .register(registry);
        }

        /** Discards all recorded values. */
        void reset() {
            for (Key key : timers.keySet()) {
                @Nullable Timer known = timers.remove(key);
                if (known != null) {
                    registry.remove(known);
                }
            }
        }
    }
}
