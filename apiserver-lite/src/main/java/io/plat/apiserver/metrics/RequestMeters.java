package io.plat.apiserver.metrics;

import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.request.RequestInfo;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
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
    /** Value of the label {@code component} for API requests. */
    static final String COMPONENT = "apiserver";

    private final ServedTypes types;
    private final Function<String, String> pathNames;
    private final Map<Series.SeriesKey, Series> all = new ConcurrentHashMap<>();

    /**
     * Creates zero meters.
     *
     * @param types served types, the only types with their own labels
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
     * @param contentType media type of the request body
     * @param nanos duration in nanoseconds
     * @param bytes size of the response
     */
    public void answered(@Nullable RequestInfo info, String contentType, int code, long nanos, long bytes) {
        Series.SeriesKey key = key(info, contentType);
        @Nullable Series existing = all.get(key);
        Series series = existing != null ? existing : all.computeIfAbsent(key, Series::new);
        series.add(code, nanos, bytes);
    }

    private Series.SeriesKey key(@Nullable RequestInfo info, String contentType) {
        return switch (info) {
            case null -> path(RequestVerb.OTHER, "");
            case RequestInfo.PathRequest request ->
                path(
                        RequestVerb.of(request.method()),
                        pathNames.apply(request.access().path()));
            case RequestInfo.ResourceRequest request -> resource(request, contentType);
        };
    }

    private Series.SeriesKey resource(RequestInfo.ResourceRequest request, String contentType) {
        ResourceAttributes access = request.access();
        RequestVerb verb = RequestVerb.of(access, contentType.startsWith("application/apply-patch"));
        ResourceType type =
                types.find(access.group(), access.version(), access.resource()).orElse(null);
        if (type == null
                || (!access.subresource().isEmpty()
                        && type.subresource(access.subresource()).isEmpty())) {
            return path(verb, "");
        }
        return new Series.SeriesKey(
                verb,
                type.group(),
                type.version(),
                type.resource(),
                access.subresource(),
                scope(access, verb),
                dryRun(request.query(), verb),
                COMPONENT);
    }

    private static String scope(ResourceAttributes access, RequestVerb verb) {
        if (!access.name().isEmpty() || verb == RequestVerb.POST) {
            return "resource";
        }
        return access.namespace().isEmpty() ? "cluster" : "namespace";
    }

    private static String dryRun(QueryParameters query, RequestVerb verb) {
        return switch (verb) {
            case GET, HEAD, LIST, WATCH, CONNECT, OPTIONS, OTHER -> "";
            case POST, PUT, PATCH, APPLY, DELETE, DELETECOLLECTION ->
                query.first("dryRun")
                        .map(value -> value.isEmpty() || value.equals("All") ? value : "invalid")
                        .orElse("");
        };
    }

    /** kube-apiserver names discovery without the leading slash, and health checks with it and without a component. */
    private static Series.SeriesKey path(RequestVerb verb, String name) {
        boolean api = name.equals("/api") || name.equals("/apis");
        String displayName = api || name.startsWith("/openapi/") ? name.substring(1) : name;
        return new Series.SeriesKey(verb, "", "", "", displayName, "", "", api ? COMPONENT : "");
    }

    public void reset() {
        all.clear();
    }

    @Override
    public MetricSnapshots collect() {
        // Types that are no longer served.
        all.keySet()
                .removeIf(what -> !what.resource().isEmpty()
                        && types.find(what.group(), what.version(), what.resource())
                                .isEmpty());
        CounterSnapshot.Builder total = CounterSnapshot.builder()
                .name("apiserver_request")
                .help("Requests, by verb, resource and status code.");
        HistogramSnapshot.Builder seconds = HistogramSnapshot.builder()
                .name("apiserver_request_duration_seconds")
                .help("Duration of a request, from its headers to the end of the response.");
        HistogramSnapshot.Builder sli = HistogramSnapshot.builder()
                .name("apiserver_request_sli_duration_seconds")
                .help("Duration of a request for service level objectives: here the same as"
                        + " apiserver_request_duration_seconds.");
        HistogramSnapshot.Builder sizes = HistogramSnapshot.builder()
                .name("apiserver_response_sizes")
                .help("Size of responses to get and list requests, in bytes.");
        for (Series series : all.values()) {
            series.showCounts(total);
            series.showSeconds(seconds);
            series.showSeconds(sli);
            series.showSizes(sizes);
        }
        return MetricSnapshots.of(total.build(), seconds.build(), sli.build(), sizes.build());
    }

    /** Value of the label {@code verb}, as in kube-apiserver. */
    enum RequestVerb {
        GET,
        HEAD,
        LIST,
        WATCH,
        POST,
        PUT,
        PATCH,
        APPLY,
        DELETE,
        DELETECOLLECTION,
        CONNECT,
        OPTIONS,
        OTHER;

        private static final Set<String> CONNECTED = Set.of("attach", "exec", "portforward", "proxy");

        /** Returns the text of the label. */
        String label() {
            return this == OTHER ? "other" : name();
        }

        /** Returns whether response sizes are recorded: for verbs that read, except streams. */
        boolean sized() {
            return this == GET || this == LIST;
        }

        /** Returns the verb of a non-resource request. */
        static RequestVerb of(String method) {
            return switch (method) {
                case "GET" -> GET;
                case "HEAD" -> HEAD;
                case "POST" -> POST;
                case "PUT" -> PUT;
                case "PATCH" -> PATCH;
                case "DELETE" -> DELETE;
                case "OPTIONS" -> OPTIONS;
                default -> OTHER;
            };
        }

        /**
         * Returns the verb of a resource request.
         *
         * @param apply whether a patch is a server-side apply
         */
        static RequestVerb of(ResourceAttributes access, boolean apply) {
            if (!access.subresource().isEmpty() && CONNECTED.contains(access.subresource())) {
                return CONNECT;
            }
            return switch (access.verb()) {
                case "get" -> GET;
                case "list" -> LIST;
                case "watch" -> WATCH;
                case "create" -> POST;
                case "update" -> PUT;
                case "patch" -> apply ? APPLY : PATCH;
                case "delete" -> DELETE;
                case "deletecollection" -> DELETECOLLECTION;
                case "proxy", "redirect" -> CONNECT;
                default -> OTHER;
            };
        }
    }
}
