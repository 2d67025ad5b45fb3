package io.plat.apiserver.metrics;

import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.request.RequestInfo;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code apiserver_request_total}, {@code apiserver_request_duration_seconds}, {@code apiserver_request_sli_duration_seconds} (the same
 * here, as no admission webhooks run) and {@code apiserver_response_sizes}, with kube-apiserver's labels. Unlike there, requests
 * rejected by a filter are counted too. Thread-safe.
 */
public final class RequestMeters implements MultiCollector {
    static final double[] SECONDS = {
        0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60
    };

    /** Value of the label {@code component} for API requests. */
    private static final String COMPONENT = "apiserver";

    private static final MetricMetadata SLI = new MetricMetadata(
            "apiserver_request_sli_duration_seconds",
            "Duration of a request for service level objectives: here the same as apiserver_request_duration_seconds.");

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final Set<String> CONNECTED = Set.of("attach", "exec", "portforward", "proxy");
    private static final Set<String> MUTATING = Set.of("POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION");

    /** Verbs with response sizes: those that read, except streams. */
    private static final Set<String> SIZED = Set.of("GET", "LIST");

    private final Counter total = Counter.builder()
            .name("apiserver_request")
            .help("Requests, by verb, resource and status code.")
            .labelNames("component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version", "code")
            .withoutExemplars()
            .build();
    private final Histogram seconds = Histogram.builder()
            .name("apiserver_request_duration_seconds")
            .help("Duration of a request, from its headers to the end of the response.")
            .labelNames("component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version")
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .withoutExemplars()
            .build();
    private final Histogram sizes = Histogram.builder()
            .name("apiserver_response_sizes")
            .help("Size of responses to get and list requests, in bytes.")
            .labelNames("component", "group", "resource", "scope", "subresource", "verb", "version")
            .classicOnly()
            .classicUpperBounds(1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9)
            .withoutExemplars()
            .build();

    private final ServedTypes types;
    private final Function<String, String> pathNames;
    private final Map<SeriesKey, Series> all = new ConcurrentHashMap<>();

    /**
     * Labels other than the code.
     *
     * @param resource resource; {@code ""} for a path and for unserved resources
     * @param scope {@code cluster}, {@code namespace}, {@code resource}; {@code ""} for a path
     * @param dryRun {@code ""}, {@code All} or {@code invalid}
     * @param component {@code apiserver}, or {@code ""} for paths that every component of Kubernetes serves
     */
    private record SeriesKey(
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String scope,
            String dryRun,
            String component) {
        String[] labels() {
            return new String[] {component, dryRun, group, resource, scope, subresource, verb, version};
        }

        String[] sizeLabels() {
            return new String[] {component, group, resource, scope, subresource, verb, version};
        }
    }

    /** Values of requests with equal labels except the code. */
    private final class Series {
        private final String[] labels;
        private final Map<Integer, CounterDataPoint> byCode = new ConcurrentHashMap<>();
        private final DistributionDataPoint durations;
        private final @Nullable DistributionDataPoint responseSizes;

        Series(SeriesKey key) {
            labels = key.labels();
            durations = seconds.labelValues(labels);
            responseSizes = SIZED.contains(key.verb()) ? sizes.labelValues(key.sizeLabels()) : null;
        }

        void add(int code, long nanos, long bytes) {
            byCode.computeIfAbsent(code, this::counter).inc();
            durations.observe(nanos / 1e9);
            if (responseSizes != null) {
                responseSizes.observe((double) bytes);
            }
        }

        private CounterDataPoint counter(int code) {
            String[] withCode = Arrays.copyOf(labels, labels.length + 1);
            withCode[labels.length] = Integer.toString(code);
            return total.labelValues(withCode);
        }
    }

    /**
     * Creates zero meters.
     *
     * @param pathNames maps a path to the served path that equals or contains it; {@code ""} for none
     */
    public RequestMeters(ServedTypes types, Function<String, String> pathNames) {
        this.types = types;
        this.pathNames = pathNames;
    }

    /**
     * Counts a completed request.
     *
     * @param info request info; null if the target was malformed
     * @param nanos duration in nanoseconds
     * @param bytes size of the response
     */
    public void answered(@Nullable RequestInfo info, String contentType, int code, long nanos, long bytes) {
        SeriesKey key = key(info, contentType);
        @Nullable Series existing = all.get(key);
        Series series = existing != null ? existing : all.computeIfAbsent(key, Series::new);
        series.add(code, nanos, bytes);
    }

    private SeriesKey key(@Nullable RequestInfo info, String contentType) {
        return switch (info) {
            case null -> path("other", "");
            case RequestInfo.PathRequest request ->
                path(verb(request.method()), pathNames.apply(request.access().path()));
            case RequestInfo.ResourceRequest request -> resource(request, contentType);
        };
    }

    private SeriesKey resource(RequestInfo.ResourceRequest request, String contentType) {
        ResourceAttributes access = request.access();
        String verb = verb(access, contentType.startsWith("application/apply-patch"));
        ResourceType type =
                types.find(access.group(), access.version(), access.resource()).orElse(null);
        if (type == null
                || (!access.subresource().isEmpty()
                        && type.subresource(access.subresource()).isEmpty())) {
            return path(verb, "");
        }
        return new SeriesKey(
                verb,
                type.group(),
                type.version(),
                type.resource(),
                access.subresource(),
                scope(access, verb),
                MUTATING.contains(verb) ? dryRun(request.query()) : "",
                COMPONENT);
    }

    private static String verb(String method) {
        return METHODS.contains(method) ? method : "other";
    }

    /** Returns the verb of a resource request. */
    private static String verb(ResourceAttributes access, boolean apply) {
        if (CONNECTED.contains(access.subresource())) {
            return "CONNECT";
        }
        return switch (access.verb()) {
            case "get", "list", "watch", "delete", "deletecollection" ->
                access.verb().toUpperCase(Locale.ROOT);
            case "create" -> "POST";
            case "update" -> "PUT";
            case "patch" -> apply ? "APPLY" : "PATCH";
            case "proxy", "redirect" -> "CONNECT";
            default -> "other";
        };
    }

    private static String scope(ResourceAttributes access, String verb) {
        if (!access.name().isEmpty() || verb.equals("POST")) {
            return "resource";
        }
        return access.namespace().isEmpty() ? "cluster" : "namespace";
    }

    private static String dryRun(QueryParameters query) {
        return query.first("dryRun")
                .map(value -> value.isEmpty() || value.equals("All") ? value : "invalid")
                .orElse("");
    }

    /**
     * Returns the key of a path. kube-apiserver names discovery without the leading slash, and health checks with it and without a
     * component.
     */
    private static SeriesKey path(String verb, String name) {
        boolean api = name.equals("/api") || name.equals("/apis");
        String displayName = api || name.startsWith("/openapi/") ? name.substring(1) : name;
        return new SeriesKey(verb, "", "", "", displayName, "", "", api ? COMPONENT : "");
    }

    public void reset() {
        total.clear();
        seconds.clear();
        sizes.clear();
        all.clear();
    }

    @Override
    public MetricSnapshots collect() {
        all.keySet().removeIf(this::removeUnserved);
        HistogramSnapshot durations = seconds.collect();
        return MetricSnapshots.of(
                total.collect(), durations, new HistogramSnapshot(SLI, durations.getDataPoints()), sizes.collect());
    }

    /** Removes the values of a type that is no longer served; returns whether it is. */
    private boolean removeUnserved(SeriesKey key) {
        boolean unserved = !key.resource().isEmpty()
                && types.find(key.group(), key.version(), key.resource()).isEmpty();
        if (unserved) {
            List<String> labels = List.of(key.labels());
            total.removeIf(values -> values.subList(0, labels.size()).equals(labels));
            seconds.remove(key.labels());
            sizes.remove(key.sizeLabels());
        }
        return unserved;
    }
}
