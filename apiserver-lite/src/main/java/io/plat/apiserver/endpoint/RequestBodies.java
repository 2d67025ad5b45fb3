package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Optional;

/**
 * Reader of request bodies, after the request was admitted.
 *
 * @param limit maximum size in bytes, in any format
 */
public record RequestBodies(int limit) {
    /** Limit of kube-apiserver: 3 MiB. */
    public static final RequestBodies DEFAULT = new RequestBodies(3 << 20);

    /** Media type of apply configurations, as JSON or YAML. */
    private static final String APPLIED = "application/apply-patch+yaml";

    /** Number of additional trees of about the size of the body: for field ownership, the response and comparisons. */
    private static final int DERIVED = 3;

    /**
     * Returns the object in the body as JSON, converted from its format.
     *
     * @param type type by the path, for a body that does not state it
     * @throws StatusException 415 for an unsupported format, 413 if it is too large, 400 if it is malformed
     */
    byte[] json(Call call, ResourceType type) throws StatusException {
        return json(call, new TypeMeta(type.apiVersion(), type.kind()));
    }

    /**
     * Returns the options in the body of a deletion as JSON; empty if absent.
     *
     * @throws StatusException as {@link #json}
     */
    byte[] deleteOptions(Call call, ResourceType type) throws StatusException {
        byte[] body = call.body(limit);
        return body.length == 0
                ? body
                : accept(call, decoded(BodyFormat.of(call), body, new TypeMeta(type.apiVersion(), "DeleteOptions")));
    }

    static boolean applies(Call call) throws StatusException {
        return contentType(call).equals(APPLIED);
    }

    /** Returns the format of a patch by its Content-Type; empty for an unsupported one. */
    static Optional<PatchFormat> patchFormat(Call call) throws StatusException {
        return PatchFormat.of(contentType(call));
    }

    private static String contentType(Call call) throws StatusException {
        String contentType = call.incoming().header("Content-Type");
        return contentType.isBlank() ? "" : MediaRange.parse(contentType).type();
    }

    /**
     * Returns an apply configuration as JSON.
     *
     * @throws StatusException 413 if it is too large, 400 if it is malformed
     */
    byte[] applied(Call call) throws StatusException {
        byte[] body = call.body(limit);
        try {
            return accept(call, body.length == 0 ? body : YamlBody.toJson(body, limit));
        } catch (StatusException e) {
            throw e.status().reason() == StatusReason.BAD_REQUEST
                    ? ApiErrors.badRequest("error decoding YAML: error converting YAML to JSON: "
                            + e.status().message())
                    : e;
        }
    }

    /**
     * Returns the body as it was sent.
     *
     * @throws StatusException 413 if it is too large
     */
    byte[] whole(Call call) throws StatusException {
        return accept(call, call.body(limit));
    }

    /** Accepts a body that is JSON now; the memory of the derived trees is charged before they are built. */
    private static byte[] accept(Call call, byte[] json) {
        RequestMemory.current().charge(DERIVED * TreeSize.of(json));
        call.audit(record -> record.requestObject(json));
        return json;
    }

    /** Equivalent of {@link #json(Call, ResourceType)} for a type given by its names. */
    byte[] json(Call call, TypeMeta expected) throws StatusException {
        BodyFormat format = BodyFormat.of(call);
        if (format == BodyFormat.BINARY && !BinaryForms.builtIn().knows(expected)) {
            throw ApiErrors.unsupportedMediaType(ApiResponse.JSON + ", " + BodyFormat.YAML_TYPE);
        }
        byte[] body = call.body(limit);
        if (body.length == 0 && format == BodyFormat.JSON) {
            return body;
        }
        try {
            return accept(call, decoded(format, body, expected));
        } catch (StatusException e) {
            throw e.status().reason() == StatusReason.BAD_REQUEST
                    ? ObjectBody.unrecognized(expected.kind(), e.status().message(), body)
                    : e;
        }
    }

    private byte[] decoded(BodyFormat format, byte[] body, TypeMeta expected) throws StatusException {
        return switch (format) {
            case JSON -> body;
            case YAML -> YamlBody.toJson(body, limit);
            case BINARY -> BinaryForms.builtIn().decode(body, expected, limit);
        };
    }

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
                    throw ApiErrors.unsupportedMediaType(
                            String.join(", ", ApiResponse.JSON, YAML_TYPE, BinaryEnvelope.KUBERNETES_MEDIA_TYPE));
            };
        }
    }
}
