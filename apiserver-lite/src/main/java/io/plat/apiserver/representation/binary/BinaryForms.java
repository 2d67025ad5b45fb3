package io.plat.apiserver.representation.binary;

import io.plat.engine.lookup.Frozen;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Optional;
import java.util.Set;

/**
 * Types with a protobuf form. Custom types, tables and virtual types for explanations have none; clients that accept several encodings
 * receive JSON for those. Thread-safe.
 */
public record BinaryForms(MessagePlans plans) {
    /** Loaded on first use: many servers never see protobuf. */
    private static final class Lazy {
        static final BinaryForms BUILT_IN = new BinaryForms(MessagePlans.builtIn());
    }

    /** Returns the built-in types. The first call loads their plans, which takes a while. */
    public static BinaryForms builtIn() {
        return Lazy.BUILT_IN;
    }

    /** Returns the protobuf form of a type; empty if it has none. */
    public Optional<BinaryForm> find(TypeMeta type) {
        return plans.find(type).map(plan -> new BinaryForm(plans, type, plan));
    }

    /** Returns whether a type has a protobuf form. */
    public boolean knows(TypeMeta type) {
        return plans.find(type).isPresent();
    }

    /** Returns the types with a protobuf form, without {@code DeleteOptions} and {@code WatchEvent} in other groups and versions. */
    public Set<TypeMeta> types() {
        return Frozen.copyOf(plans.types());
    }

    /**
     * Converts an object in its envelope to UTF-8 JSON, with kind and apiVersion.
     *
     * @param body body, of a size that the caller has limited
     * @param expected default for what the envelope omits, such as the type of the request's path
     * @param maxJsonBytes maximum size of the JSON
     * @throws StatusException 400 if it is malformed or of a type without protobuf form, 413 if the JSON would be too large, 415 for an
     *     unsupported encoding or content type
     */
    public byte[] decode(byte[] body, TypeMeta expected, int maxJsonBytes) throws StatusException {
        BinaryEnvelope.Content content = BinaryEnvelope.open(body, 0, body.length);
        TypeMeta type = content.type().orElse(expected);
        return MessageDecoder.decode(
                plans, body, new BinaryEnvelope.Content(type, content.start(), content.end()), maxJsonBytes);
    }

    static StatusException unknown(TypeMeta type) {
        return new StatusException(Status.of(
                StatusReason.BAD_REQUEST,
                "no binary form is known of kind " + MalformedInput.quoted(type.kind()) + " in version "
                        + MalformedInput.quoted(type.apiVersion())));
    }
}
