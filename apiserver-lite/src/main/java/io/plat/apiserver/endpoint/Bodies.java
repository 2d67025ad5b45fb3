package io.plat.apiserver.endpoint;

import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.MediaRange;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import org.jspecify.annotations.Nullable;

/**
 * Request bodies, read once their request was admitted.
 *
 * @param limit the largest body, in bytes, in any of its formats
 */
public record Bodies(int limit) {
    /** The limit of existing servers: 3 MiB. */
    public static final Bodies DEFAULT = new Bodies(3 << 20);

    /** What is applied, as JSON or YAML. */
    private static final String APPLIED = "application/apply-patch+yaml";

    /** The tree of a body, what owners of fields, answers and comparisons have of it, each as large at most. */
    private static final int DERIVED = 3;

    private static final String DELETE_OPTIONS = "DeleteOptions";

    /**
     * The object in the body as JSON, whichever format it was sent in.
     *
     * @param type what the path says it is, where the body leaves that unsaid
     * @throws StatusException 415 for a format that is not read, 413 where it is too large, 400 where it is malformed
     */
    byte[] json(Call call, ResourceType type) throws StatusException {
        return json(call, new TypeMeta(type.apiVersion(), type.kind()));
    }

    /**
     * The options in the body of a deletion as JSON; empty where there are none.
     *
     * @throws StatusException as {@link #json}
     */
    byte[] deleteOptions(Call call, ResourceType type) throws StatusException {
        byte[] body = call.incoming().body(limit);
        return body.length == 0
                ? body
                : told(call, decoded(BodyFormat.of(call), body, new TypeMeta(type.apiVersion(), DELETE_OPTIONS)));
    }

    /** Whether the body of a patch is something to be applied, which its Content-Type says. */
    static boolean applies(Call call) throws StatusException {
        return contentType(call).equals(APPLIED);
    }

    /**
     * The format of a patch, which its Content-Type has to say.
     *
     * @throws StatusException 415 for a format that is not read here
     */
    static PatchFormat patchFormat(Call call) throws StatusException {
        return PatchFormat.of(contentType(call)).orElseThrow(Failures::noPatchFormat);
    }

    private static String contentType(Call call) throws StatusException {
        String contentType = call.incoming().header("Content-Type");
        return contentType.isBlank() ? "" : MediaRange.parse(contentType).type();
    }

    /**
     * What is to be applied, as JSON.
     *
     * @throws StatusException 413 where it is too large, 400 where it is malformed
     */
    byte[] applied(Call call) throws StatusException {
        byte[] body = call.incoming().body(limit);
        return told(call, body.length == 0 ? body : YamlBody.toJson(body, limit));
    }

    /**
     * The body as it was sent.
     *
     * @throws StatusException 413 where it is too large
     */
    byte[] whole(Call call) throws StatusException {
        return told(call, call.incoming().body(limit));
    }

    /** Takes a body in whose format is JSON by now: what is made of it is charged before anything is. */
    private static byte[] told(Call call, byte[] json) {
        RequestMemory.current().charge(DERIVED * TreeSize.of(json));
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            audited.sent(json);
        }
        return json;
    }

    /** {@link #json(Call, ResourceType)} for a type by its names. */
    byte[] json(Call call, TypeMeta expected) throws StatusException {
        BodyFormat format = BodyFormat.of(call);
        if (format == BodyFormat.BINARY && !BinaryForms.builtIn().knows(expected)) {
            throw Failures.unsupportedMediaType(Answer.JSON + ", " + BodyFormat.YAML_TYPE);
        }
        byte[] body = call.incoming().body(limit);
        if (body.length == 0 && format == BodyFormat.JSON) {
            return body;
        }
        try {
            return told(call, decoded(format, body, expected));
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
}
