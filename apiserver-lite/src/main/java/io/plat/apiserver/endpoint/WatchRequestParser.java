package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.watch.WatchRequest;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Parser of watch requests. Thread-safe.
 *
 * @param random thread-safe source of numbers from 0 to 1
 */
record WatchRequestParser(DoubleSupplier random) {
    /**
     * As in kube-apiserver: a watch without a timeout lasts between this and twice as long, so that clients do not all reconnect at
     * once.
     */
    private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);

    /** Maximum duration of a watch, even if a client requests more. */
    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

    /**
     * Parses a watch request.
     *
     * @throws StatusException 400 if its query is malformed, 406 if no stream format is acceptable
     */
    WatchRequest request(Call call, ResourceType type, ResourceRequest request) throws StatusException {
        ResourceAttributes access = request.access();
        QueryParameters query = request.query();
        String namespace = type.namespaced() ? access.namespace() : "";
        // Below the legacy prefix the path may name an object; elsewhere the name stems from a field selector.
        String name = request.prefix().isEmpty() ? "" : access.name();
        return new WatchRequest(
                call.client(),
                new Target(type, namespace, name),
                RequestOptions.list(query),
                timeout(query),
                Negotiation.stream(Preferences.of(call.incoming()), type));
    }

    private Duration timeout(QueryParameters query) throws StatusException {
        long seconds = RequestOptions.number(query, "timeoutSeconds").orElse(0L);
        return seconds == 0
                ? Duration.ofMillis((long) (MIN_TIMEOUT.toMillis() * (1 + random.getAsDouble())))
                : Duration.ofSeconds(Math.clamp(seconds, 0, MAX_TIMEOUT.toSeconds()));
    }
}
