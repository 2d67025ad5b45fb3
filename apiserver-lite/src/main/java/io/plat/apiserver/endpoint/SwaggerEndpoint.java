package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.Document;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.MediaRange;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /openapi/v2}: the types in the form of OpenAPI v2, as JSON or in the binary form that kubectl asks for. */
final class SwaggerEndpoint implements Endpoint {
    private static final String BINARY = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** What clients ask for: it can be no media type, by the letter, but is the binary form's older name. */
    private static final String BINARY_ASKED_FOR = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    private final OpenApiDocuments documents;

    SwaggerEndpoint(OpenApiDocuments documents) {
        this.documents = documents;
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        String accept = call.incoming().header("Accept");
        for (MediaRange range : MediaRange.accepted(accept.isBlank() ? "*/*" : accept)) {
            if (range.includes(Answer.JSON)) {
                return answer(call, Answer.JSON, documents.swagger());
            }
            if (range.includes(BINARY) || range.includes(BINARY_ASKED_FOR)) {
                return answer(call, BINARY, documents.swaggerBinary());
            }
        }
        throw new StatusException(
                StatusReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + Answer.JSON + ", " + BINARY);
    }

    private static Answer answer(Call call, String mediaType, Document document) {
        Optional<Answer> unchanged = EntityTags.unchanged(call, document.hash());
        Answer full = unchanged.isPresent()
                ? unchanged.get()
                : new Answer(200, mediaType, Map.of(), Body.of(document.bytes()));
        return EntityTags.tagged(full, document.hash()).with("Cache-Control", List.of("no-cache, private"));
    }
}
