package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.ServedList;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;

/**
 * One form in which a client gets what it asked for. What is answered twice with the same instance has the same bytes, unless
 * the form is {@linkplain #stateful() stateful}. Arrays that come out may be shared and must not be changed.
 */
public interface Representation {
    /** The type of failures and of deletions that succeeded. */
    TypeMeta STATUS = new TypeMeta("v1", "Status");

    /** The {@code Content-Type} of an answer. */
    String contentType();

    /** The {@code Content-Type} of a watch's stream. */
    String streamContentType();

    /**
     * Whether the form remembers what it has written, as a table does that names its columns only once in a stream. Such an
     * instance belongs to one request; any other is for any number of threads and requests.
     */
    default boolean stateful() {
        return false;
    }

    /**
     * One object.
     *
     * @throws StatusException if the object can't be shown in this form
     */
    byte[] object(ServedObject object) throws StatusException;

    /**
     * A list, or a chunk of one.
     *
     * @throws StatusException if one of its objects can't be shown in this form
     */
    Body list(ServedList list) throws StatusException;

    /**
     * A document that is no stored object, such as a review.
     *
     * @param type what the document says it is
     * @param json the document as JSON in UTF-8, with kind and apiVersion
     * @throws StatusException if it can't be shown in this form
     */
    byte[] document(TypeMeta type, byte[] json) throws StatusException;

    /** A failure. */
    default byte[] status(Status status) {
        byte[] json = StatusCodec.encode(status);
        try {
            return document(STATUS, json);
        } catch (StatusException e) {
            throw new IllegalStateException("a Status has every form", e);
        }
    }

    /**
     * An event of a watch as one whole frame of its stream, which is followed by the next without anything between them.
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     * @throws StatusException if the object can't be shown in this form
     */
    byte[] event(String type, ServedObject object) throws StatusException;

    /** The event that ends a stream with a failure, {@code ERROR}, as one whole frame. */
    byte[] statusEvent(Status status);

    /**
     * The event that says how far a watch has come, {@code BOOKMARK}, as one whole frame.
     *
     * @param type the type that is watched
     * @param revision everything up to it has been sent
     * @param initialEventsEnd whether it stands behind the objects that were there from the beginning
     */
    byte[] bookmark(ResourceType type, long revision, boolean initialEventsEnd);
}
