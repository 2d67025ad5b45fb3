package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;

/**
 * The binary form of one type: translates its objects between JSON text and messages. Safe for use by many threads.
 *
 * <p>What both forms mean is the same; two things are not kept: fields that the type does not have, and what only JSON
 * distinguishes (the order of fields, spaces, null and absent). An object's kind and apiVersion stand in the envelope, those
 * of a list's items nowhere. A zero is written to the wire where JSON has one, and shown again where it says something.
 */
public final class BinaryForm {
    private final MessagePlans plans;
    private final TypeMeta type;
    private final MessagePlan plan;

    BinaryForm(MessagePlans plans, TypeMeta type, MessagePlan plan) {
        this.plans = plans;
        this.type = type;
        this.plan = plan;
    }

    /** The type. */
    public TypeMeta type() {
        return type;
    }

    /**
     * Returns an object's message, without an envelope: what a list holds of its items.
     *
     * @param json the object as one JSON text in UTF-8, whatever kind and apiVersion it has
     * @throws StatusException 400 where the text is malformed or has a value that the type does not allow
     */
    public byte[] message(byte[] json) throws StatusException {
        return MessageEncoder.encode(plan, json);
    }

    /**
     * Returns an object in its envelope.
     *
     * @param json as for {@link #message}
     * @throws StatusException as {@link #message}
     */
    public byte[] envelope(byte[] json) throws StatusException {
        return BinaryEnvelope.wrap(type, message(json));
    }

    /**
     * Returns an object's JSON text, with its kind and apiVersion.
     *
     * @param message without an envelope
     * @param maxBytes the most bytes that the text may have: a message can be much smaller than its text
     * @throws StatusException 400 where the message is malformed or not of this type, 413 where the text would be too large
     */
    public byte[] json(byte[] message, int maxBytes) throws StatusException {
        return MessageDecoder.decode(plans, message, new BinaryEnvelope.Content(type, 0, message.length), maxBytes);
    }
}
