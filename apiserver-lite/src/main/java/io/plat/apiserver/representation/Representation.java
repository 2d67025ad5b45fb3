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
 * The form in which a client gets what it requested: a transformation of objects, and an encoding of what comes of it; a Status stays a
 * Status in each. What is answered twice with the same instance has the same bytes, unless the form is {@linkplain #stateful()
 * stateful}. Arrays that come out may be shared and must not be changed.
 */
public abstract class Representation {
    /** The type of failures and of deletions that succeeded. */
    public static final TypeMeta STATUS = new TypeMeta("v1", "Status");

    final Encoding encoding;

    Representation(Encoding encoding) {
        this.encoding = encoding;
    }

    /** The {@code Content-Type} of an answer. */
    public final String contentType() {
        return encoding.contentType();
    }

    /** The {@code Content-Type} of a watch's stream. */
    public final String streamContentType() {
        return encoding.streamContentType();
    }

    /**
     * Whether the form remembers what it has written, as a table does that names its columns only once in a stream. Such an
     * instance belongs to one request; any other is for any number of threads and requests.
     */
    public boolean stateful() {
        return false;
    }

    /**
     * Encodes one object.
     *
     * @throws StatusException if the object can't be shown in this form
     */
    public abstract byte[] object(ServedObject object) throws StatusException;

    /**
     * Encodes one object as the whole of an answer: a large one is written as it is made, where the form allows that.
     *
     * @throws StatusException as {@link #object}
     */
    public Body answer(ServedObject object) throws StatusException {
        return Body.of(object(object));
    }

    /** A document that is made as a whole unless it is large. */
    final Body encode(TypeMeta type, Body json, boolean large) throws StatusException {
        return large ? encoding.encode(type, json) : Body.of(encoding.encode(type, json.bytes()));
    }

    /**
     * Encodes a list, or a chunk of one.
     *
     * @throws StatusException if one of its objects can't be shown in this form
     */
    public abstract Body list(ServedList list) throws StatusException;

    /**
     * Encodes a document that is no stored object, such as a review.
     *
     * @param type the document's type
     * @param json the document as JSON in UTF-8, with kind and apiVersion
     * @throws StatusException if it can't be shown in this form
     */
    public final byte[] document(TypeMeta type, byte[] json) throws StatusException {
        return encoding.encode(type, json);
    }

    /** Encodes a failure. */
    public final byte[] status(Status status) {
        try {
            return document(STATUS, StatusCodec.encode(status));
        } catch (StatusException e) {
            throw new IllegalStateException("a Status has every form", e);
        }
    }

    /**
     * Encodes an event of a watch as one whole frame of its stream, which is followed by the next without anything between them.
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     * @throws StatusException if the object can't be shown in this form
     */
    public final byte[] event(String type, ServedObject object) throws StatusException {
        return encoding.frame(type, object(object));
    }

    /** Encodes the event that ends a stream with a failure, {@code ERROR}, as one whole frame. */
    public final byte[] statusEvent(Status status) {
        return encoding.frame("ERROR", status(status));
    }

    /**
     * Encodes the event that tells how far a watch has come, {@code BOOKMARK}, as one whole frame.
     *
     * @param type the type that is watched
     * @param revision everything up to it has been sent
     * @param initialEventsEnd whether it stands behind the objects that were there from the beginning
     */
    public final byte[] bookmark(ResourceType type, long revision, boolean initialEventsEnd) {
        String annotations = initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        String metadata = "{\"resourceVersion\":\"" + revision + "\"" + annotations + "}";
        try {
            return encoding.frame("BOOKMARK", bookmark(type, metadata));
        } catch (StatusException e) {
            throw new IllegalStateException("a bookmark has the form of the objects that it stands among", e);
        }
    }

    /** Encodes the object of a bookmark: as one that has nothing but this metadata. */
    abstract byte[] bookmark(ResourceType type, String metadata) throws StatusException;

    /** A document that has a type and nothing else but metadata. */
    static byte[] onlyMetadata(TypeMeta type, String metadata) {
        return ("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":"
                        + metadata + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
