package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;

/**
 * Representation of a response: a format, and possibly a transformation of objects; a Status is never transformed. Repeated calls
 * on one instance yield the same bytes, unless it is {@linkplain #stateful() stateful}. Returned arrays may be shared and must not be
 * modified.
 */
public abstract class Representation {
    public static final TypeMeta STATUS = new TypeMeta("v1", "Status");

    public abstract String contentType();

    public abstract String streamContentType();

    /**
     * Returns whether an instance has state, as a table, which names its columns only once in a stream. Such an instance belongs to one
     * request; all others are thread-safe and shared.
     */
    public boolean stateful() {
        return false;
    }

    /**
     * Encodes one object.
     *
     * @throws StatusException if the object does not support this representation
     */
    public byte[] object(ServedObject object) throws StatusException {
        return document(typeOf(object.type()), object.json());
    }

    /**
     * Encodes one object as a complete response, streaming a large one if possible.
     *
     * @throws StatusException as {@link #object}
     */
    public Body answer(ServedObject object) throws StatusException {
        return Body.of(object(object));
    }

    /** Encodes a list, or a chunk of one. */
    public abstract Body list(ServedList list) throws StatusException;

    /** Encodes a document other than a stored object, such as a review. */
    public abstract byte[] document(TypeMeta type, byte[] json) throws StatusException;

    /** Encodes a large document, streaming it if the format permits. */
    Body document(TypeMeta type, Body json) throws StatusException {
        return Body.of(document(type, json.bytes()));
    }

    public final byte[] status(Status status) {
        try {
            return document(STATUS, StatusCodec.encode(status));
        } catch (StatusException e) {
            throw new IllegalStateException("a Status has every form", e);
        }
    }

    /**
     * Encodes a watch event as one complete frame; frames follow each other without separators.
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     * @throws StatusException if the object does not support this representation
     */
    public final byte[] event(String type, ServedObject object) throws StatusException {
        return frame(type, object(object));
    }

    /** Encodes the event that ends a stream with a failure, {@code ERROR}, as one complete frame. */
    public final byte[] statusEvent(Status status) {
        return frame("ERROR", status(status));
    }

    /**
     * Encodes a {@code BOOKMARK} event as one complete frame.
     *
     * @param revision revision up to which all events were sent
     * @param initialEventsEnd whether it marks the end of the initial events
     */
    public final byte[] bookmark(ResourceType type, long revision, boolean initialEventsEnd) {
        String annotations = initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        String metadata = "{\"resourceVersion\":\"" + revision + "\"" + annotations + "}";
        try {
            return frame("BOOKMARK", bookmark(type, metadata));
        } catch (StatusException e) {
            throw new IllegalStateException("a bookmark has the same form as objects", e);
        }
    }

    /** Encodes the object of a bookmark, which has only this metadata. */
    byte[] bookmark(ResourceType type, String metadata) throws StatusException {
        TypeMeta own = typeOf(type);
        return document(own, onlyMetadata(own, metadata));
    }

    abstract byte[] frame(String event, byte[] encoded);

    static TypeMeta typeOf(ResourceType type) {
        return new TypeMeta(type.apiVersion(), type.kind());
    }

    static byte[] onlyMetadata(TypeMeta type, String metadata) {
        return ("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":"
                        + metadata + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
