package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.review.status.StatusException;

/** Formats of request bodies (specification, "Content negotiation"). */
enum BodyFormat {
    JSON,
    YAML,
    BINARY;

    static final String YAML_TYPE = "application/yaml";

    /**
     * Returns the format of a request's body; JSON without a Content-Type.
     *
     * @throws StatusException 415 for an unsupported format
     */
    static BodyFormat of(Call call) throws StatusException {
        String contentType = call.incoming().header("Content-Type");
        if (contentType.isBlank()) {
            return JSON;
        }
        return switch (MediaRange.parse(contentType).type()) {
            case ApiResponse.JSON -> JSON;
            case YAML_TYPE -> YAML;
            case BinaryEnvelope.MEDIA_TYPE, BinaryEnvelope.KUBERNETES_MEDIA_TYPE -> BINARY;
            default ->
                throw Failures.unsupportedMediaType(
                        String.join(", ", ApiResponse.JSON, YAML_TYPE, BinaryEnvelope.KUBERNETES_MEDIA_TYPE));
        };
    }
}
