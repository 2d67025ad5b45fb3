package io.plat.apiserver.metrics;

import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.request.RequestInfo;
import io.plat.apiserver.resource.ResourceType;
import io.plat.review.ResourceAttributes;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code apiserver_request_total}, {@code apiserver_request_duration_seconds}, {@code apiserver_request_sli_duration_seconds} (the same
 * here, as no webhook takes a part of that time) and {@code apiserver_response_sizes}, with the labels of existing servers. These count
 * what reached its handler; here requests that a filter refused are counted too. For any number of threads.
 */
public final class RequestMeters implements MultiCollector {
    /** The label {@code component} of what only an API server has. */
    static final String COMPONENT = "apiserver";

    private static final int CLUSTER = 0;
    private static final int NAMESPACE = 1;
    private static final int RESOURCE = 2;

    private record Path(RequestVerb verb, String name) {}

    private final ServedTypes types;
    private final Function<String, String> pathNames;
    private final Map<ResourceType.Id, TypeSeries> byType = new ConcurrentHashMap<>();
    private final Map<Path, Series> byPath = new ConcurrentHashMap<>();

    /**
     * Nothing is counted yet.
     *
     * @param types what is served; only that has names here
     * @param pathNames the path that is served of which a path is, or which it lies below; {@code ""} where none is
     */
    public RequestMeters(ServedTypes types, Function<String, String> pathNames) {
        this.types = types;
        this.pathNames = pathNames;
    }

    /**
     * A request was answered.
     *
     * @param info what it asked for; null where that could not be understood
     * @param contentType the media type of what was sent
     * @param code the HTTP status code
     * @param nanos how long it took, in nanoseconds
     * @param bytes the size of the answer
     */
    public void answered(@Nullable RequestInfo info, String contentType, int code, long nanos, long bytes) {
        series(info, contentType).add(code, nanos, bytes);
    }

    private Series series(@Nullable RequestInfo info, String contentType) {
        return switch (info) {
            case null -> path(RequestVerb.OTHER, "");
            case RequestInfo.PathRequest request ->
                path(
                        RequestVerb.of(request.method()),
                        pathNames.apply(request.access().path()));
            case RequestInfo.ResourceRequest request -> resource(request, contentType);
        };
    }

    private Series resource(RequestInfo.ResourceRequest request, String contentType) {
        ResourceAttributes access = request.access();
        RequestVerb verb = RequestVerb.of(access, contentType.startsWith("application/apply-patch"));
        @Nullable
        ResourceType type =
                types.find(access.group(), access.version(), access.resource()).orElse(null);
        if (type == null
                || (!access.subresource().isEmpty()
                        && type.subresource(access.subresource()).isEmpty())) {
            return path(verb, "");
        }
        @Nullable TypeSeries known = byType.get(type.id());
        TypeSeries series = known != null ? known : byType.computeIfAbsent(type.id(), TypeSeries::new);
        return series.of(access.subresource(), verb, scope(access, verb), dryRun(request.query(), verb));
    }

    private static int scope(ResourceAttributes access, RequestVerb verb) {
        if (!access.name().isEmpty() || verb == RequestVerb.POST) {
            return RESOURCE;
        }
        return access.namespace().isEmpty() ? CLUSTER : NAMESPACE;
    }

    private static int dryRun(QueryParameters query, RequestVerb verb) {
        return switch (verb) {
            case GET, HEAD, LIST, WATCH, CONNECT, OPTIONS, OTHER -> 0;
            case POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION ->
                query.first("dryRun")
                        .map(value -> value.isEmpty() ? 0 : value.equals("All") ? 1 : 2)
                        .orElse(0);
        };
    }

    /** Existing servers name discovery without the leading slash, and checks with it and for any component. */
    private Series path(RequestVerb verb, String name) {
        return byPath.computeIfAbsent(new Path(verb, name), path -> {
            boolean api = name.equals("/api") || name.equals("/apis");
            String shown = api || name.startsWith("/openapi/") ? name.substring(1) : name;
            return new Series(new Series.What(verb, "", "", "", shown, "", "", api ? COMPONENT : ""));
        });
    }

    /** Begins to count anew. */
    public void reset() {
        byType.clear();
        byPath.clear();
    }

    @Override
    public MetricSnapshots collect() {
        byType.keySet()
                .removeIf(id ->
                        types.find(id.group(), id.version(), id.resource()).isEmpty());
        List<Series> all = new ArrayList<>(byPath.values());
        byType.values().forEach(series -> series.each(all::add));
        CounterSnapshot.Builder total = CounterSnapshot.builder()
                .name("apiserver_request")
                .help("Requests by what they ask for and how they were answered.");
        HistogramSnapshot.Builder seconds = HistogramSnapshot.builder()
                .name("apiserver_request_duration_seconds")
                .help("Time from a request's headers to the end of its answer.");
        HistogramSnapshot.Builder sli = HistogramSnapshot.builder()
                .name("apiserver_request_sli_duration_seconds")
                .help("The same, for objectives of service.");
        HistogramSnapshot.Builder sizes = HistogramSnapshot.builder()
                .name("apiserver_response_sizes")
                .help("Bytes of the answers to gets and lists, as they were sent.");
        for (Series series : all) {
            series.showCounts(total);
            series.showSeconds(seconds);
            series.showSeconds(sli);
            series.showSizes(sizes);
        }
        return MetricSnapshots.of(total.build(), seconds.build(), sli.build(), sizes.build());
    }
}
