package io.plat.apiserver.representation.binary;

import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Optional;
import java.util.Set;

/**
 * The types that have a binary form. Types that others define, tables and the explaining types have none; a client that asks
 * for several representations gets JSON for those. Safe for use by many threads.
 */
public final class BinaryForms {
    private final MessagePlans plans;

    private BinaryForms(MessagePlans plans) {
        this.plans = plans;
    }

    /** Read when they are first needed: many servers never see the binary form. */
    private static final class Lazy {
        static final BinaryForms BUILT_IN = new BinaryForms(MessagePlans.builtIn());
    }

    /** The built-in types. The first call reads their plans, which takes a while. */
    public static BinaryForms builtIn() {
        return Lazy.BUILT_IN;
    }

    /** The binary form of a type; empty where it has none. */
    public Optional<BinaryForm> find(TypeMeta type) {
        return plans.find(type).map(plan -> new BinaryForm(plans, type, plan));
    }

    /** Whether a type has a binary form. */
    public boolean knows(TypeMeta type) {
        return plans.find(type).isPresent();
    }

    /** The types that have a binary form; {@code DeleteOptions} and {@code WatchEvent} belong to every group and version besides. */
    public Set<TypeMeta> types() {
        return Set.copyOf(plans.types());
    }

    /**
     * Returns an object in its envelope as JSON text in UTF-8, with kind and apiVersion.
     *
     * @param body at most as many bytes as the caller is willing to read
     * @param expected what the envelope leaves out, such as the type that the request's path names
     * @param maxJsonBytes the most bytes that the JSON text may have
     * @throws StatusException 400 where it is malformed or of a type that has no binary form, 413 where the text would be too
     *     large, 415 where the envelope names an unknown encoding or content type
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
                "no binary form is known of kind " + Malformed.quoted(type.kind()) + " in version "
                        + Malformed.quoted(type.apiVersion())));
    }
}
