package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.IndentedJson;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api}, {@code /apis} and below: discovery, plain or aggregated as the client prefers. */
record DiscoveryEndpoint(DiscoveryDocuments plain, AggregatedDiscovery aggregated) implements ApiEndpoint {
    @Override
    public ApiResponse answer(Call call) throws StatusException {
        String path = PathEndpoints.path(call);
        if (prefersAggregated(call.incoming().header("Accept"))) {
            Optional<byte[]> document = aggregated.json(path);
            if (document.isPresent()) {
                byte[] json = document.get();
                call.audit(record -> record.responseObject(json.length, out -> out.write(json)));
                boolean pretty = Preferences.of(call.incoming()).pretty();
                Body body = pretty ? Body.of(IndentedJson.of(json)) : Body.shared(json);
                return DocumentResponse.tagged(call, new ApiResponse(200, AggregatedDiscovery.TYPE, Map.of(), body));
            }
        }
        Optional<ObjectNode> document = plain.find(path);
        if (document.isEmpty()) {
            String[] parts = path.split("/", -1);
            if (parts[1].equals("api") || plain.find("/apis/" + parts[2]).isPresent()) {
                throw ApiErrors.notFound();
            }
            // Plain text, as in kube-apiserver.
            return ApiResponse.text(404, "text/plain; charset=utf-8", "404 page not found\n");
        }
        TypeMeta type = new TypeMeta("v1", document.get().path("kind").asText());
        // Without Vary, as in kube-apiserver.
        return DocumentResponse.tagged(call, DocumentResponse.to(call, type).of(200, document.get()))
                .with("Vary", List.of());
    }

    /** Returns whether the aggregated form is preferred to the plain one. */
    static boolean prefersAggregated(String accept) {
        MediaRange aggregatedForm = MediaRange.parse(AggregatedDiscovery.TYPE);
        for (MediaRange range : MediaRange.accepted(accept)) {
            if (range.type().equals(ApiResponse.JSON) && range.parameters().equals(aggregatedForm.parameters())) {
                return true;
            }
            if (range.includes(ApiResponse.JSON) && !range.transforms()) {
                return false;
            }
        }
        return false;
    }
}
