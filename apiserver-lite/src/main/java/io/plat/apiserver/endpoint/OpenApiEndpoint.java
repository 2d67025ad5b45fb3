package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.HashedDocument;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.openapi.SwaggerListings;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** OpenAPI documents of the served types: {@code /openapi/v2}, {@code /openapi/v3} and {@code /swaggerapi}. */
record OpenApiEndpoint(OpenApiDocuments documents, SwaggerListings listings) {
    private static final String BINARY = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** Old name of the protobuf form, which clients send although it is not a valid media type. */
    private static final String LEGACY_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    /** Returns OpenAPI v2, as JSON or in the protobuf form that kubectl requests. */
    ApiResponse v2(Call call) throws StatusException {
        String accept = call.incoming().header("Accept");
        for (MediaRange range : MediaRange.accepted(accept.isBlank() ? "*/*" : accept)) {
            if (range.includes(ApiResponse.JSON)) {
                return v2(call, ApiResponse.JSON, documents.swagger());
            }
            if (range.includes(BINARY) || range.includes(LEGACY_PROTOBUF)) {
                return v2(call, BINARY, documents.swaggerBinary());
            }
        }
        throw new StatusException(
                StatusReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + ApiResponse.JSON + ", " + BINARY);
    }

    private static ApiResponse v2(Call call, String mediaType, HashedDocument document) throws StatusException {
        return DocumentResponse.tagged(
                        call,
                        document.hash(),
                        () -> new ApiResponse(200, mediaType, Map.of(), Body.shared(document.bytes())))
                .with("Cache-Control", List.of("no-cache, private"));
    }

    /**
     * Returns OpenAPI v3. The URLs in the index contain hashes: a document at its current URL is cacheable, and an outdated URL redirects
     * to the current one.
     */
    ApiResponse v3(Call call) throws StatusException {
        DocumentResponse response = DocumentResponse.to(call, TypeMeta.UNKNOWN);
        String path = PathEndpoints.path(call);
        HashedDocument document = documents.find(path).orElseThrow(ApiErrors::notFound);
        Optional<String> requested = call.info().query().first("hash");
        if (requested.isPresent() && !requested.get().equals(document.hash())) {
            return ApiResponse.text(301, "text/plain; charset=utf-8", "")
                    .with("Location", List.of(path + "?hash=" + document.hash()));
        }
        ApiResponse tagged = DocumentResponse.tagged(call, document.hash(), () -> response.shared(document.bytes()));
        return requested.isPresent() ? tagged.with("Cache-Control", List.of("public, immutable")) : tagged;
    }

    /** Returns {@code /swaggerapi}, by which earlier clients validate objects (specification, "Non-resource paths"). */
    ApiResponse listing(Call call, String below) throws StatusException {
        DocumentResponse response = DocumentResponse.to(call, TypeMeta.UNKNOWN);
        HashedDocument document = listings.find(below).orElseThrow(ApiErrors::notFound);
        return DocumentResponse.tagged(call, response.shared(document.bytes()));
    }
}
