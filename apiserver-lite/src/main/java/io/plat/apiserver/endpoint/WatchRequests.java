package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.options.WatchOptions;
import io.plat.apiserver.options.WatchOptions.InitialEvents;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.watch.WatchRequest;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** Reads what a request for a watch asks for. For any number of threads. */
final class WatchRequests {
    /** As in the field: a watch that says nothing lasts between this and twice as long, so that not all return at once. */
    private static final Duration SHORTEST = Duration.ofMinutes(30);

    /** A watch never lasts longer, whatever a client asks for. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private final DoubleSupplier random;

    /**
     * @param random numbers from 0 to 1, from any thread
     */
    WatchRequests(DoubleSupplier random) {
        this.random = random;
    }

    /**
     * The watch that a request asks for.
     *
     * @throws StatusException 400 where its query can't be read, 406 where no form of a stream is accepted
     */
    WatchRequest request(Call call, ResourceType type, ResourceRequest request) throws StatusException {
        ResourceAttributes access = request.access();
        QueryParameters query = request.query();
        String namespace = type.namespaced() ? access.namespace() : "";
        // Behind the old prefix the path may name an object; elsewhere the name is a field selector's, read as such.
        String name = request.prefix().isEmpty() ? "" : access.name();
        WatchOptions options = new WatchOptions(
                RequestOptions.text(query, "labelSelector"),
                RequestOptions.text(query, "fieldSelector"),
                RequestOptions.text(query, "resourceVersion"),
                RequestOptions.text(query, "resourceVersionMatch"),
                initialEvents(query),
                query.flag("allowWatchBookmarks"));
        return new WatchRequest(
                call.client(),
                new Target(type, namespace, name),
                options,
                timeout(query),
                Negotiation.stream(Preferences.of(call.incoming()), type));
    }

    private static InitialEvents initialEvents(QueryParameters query) {
        if (query.first("sendInitialEvents").isEmpty()) {
            return InitialEvents.UNSAID;
        }
        return query.flag("sendInitialEvents") ? InitialEvents.WANTED : InitialEvents.UNWANTED;
    }

    private Duration timeout(QueryParameters query) throws StatusException {
        long seconds = RequestOptions.number(query, "timeoutSeconds").orElse(0L);
        return seconds == 0 ? someTime() : Duration.ofSeconds(Math.clamp(seconds, 0, LONGEST.toSeconds()));
    }

    private Duration someTime() {
        return Duration.ofMillis((long) (SHORTEST.toMillis() * (1 + random.getAsDouble())));
    }
}
