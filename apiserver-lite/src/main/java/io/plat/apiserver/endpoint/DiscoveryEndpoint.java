package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.filter.Call;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;

/** {@code /api}, {@code /apis} and below: what is served, plain or aggregated as the client prefers. */
final class DiscoveryEndpoint implements Endpoint {
    private static final List<String> ACCEPT = List.of("Accept");

    private final DiscoveryDocuments plain;
    private final AggregatedDiscovery aggregated;

    DiscoveryEndpoint(DiscoveryDocuments plain, AggregatedDiscovery aggregated) {
        this.plain = plain;
        this.aggregated = aggregated;
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        String path = Paths.withoutTrailingSlash(call.info().path());
        if (Negotiation.prefersAggregatedDiscovery(call)) {
            Optional<ObjectNode> document = aggregated.find(path);
            if (document.isPresent()) {
                Answer answer = JsonAnswers.of(call, 200, document.get());
                return new Answer(200, AggregatedDiscovery.TYPE, answer.headers(), answer.body()).with("Vary", ACCEPT);
            }
        }
        Negotiation.requireJson(call);
        ObjectNode document = plain.find(path).orElseThrow(Failures::notFound);
        return JsonAnswers.of(call, 200, document).with("Vary", ACCEPT);
    }
}
