package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;

/**
 * Protobuf form of one type: converts its objects between JSON and messages. Thread-safe.
 *
 * <p>Both forms are equivalent, except that unknown fields and JSON details (order of fields, whitespace, null) are lost. An object's
 * kind and apiVersion are in the envelope; those of list items are omitted. A zero value is written if JSON has one, and restored if it
 * is significant.
 */
public record BinaryForm(BinaryForms forms, TypeMeta type, MessagePlan plan) {
    /**
     * Returns an object's message without envelope, as in lists.
     *
     * @param json object as UTF-8 JSON, with any kind and apiVersion
     * @throws StatusException 400 if the text is malformed or has a value of the wrong type
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
     * Returns an object as JSON, with its kind and apiVersion.
     *
     * @param maxBytes maximum size of the JSON: a message can be much smaller
     * @throws StatusException 400 if the message is malformed or not of this type, 413 if the JSON would be too large
     */
    public byte[] json(byte[] message, int maxBytes) throws StatusException {
        return MessageDecoder.decode(forms, message, new BinaryEnvelope.Content(type, 0, message.length), maxBytes);
    }
}
