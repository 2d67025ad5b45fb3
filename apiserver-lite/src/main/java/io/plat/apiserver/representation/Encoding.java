package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.status.StatusException;

/** An encoding of documents, alone and as frames of a stream. For any number of threads. */
interface Encoding {
    /** The media type of an answer. */
    String contentType();

    /** The media type of a stream. */
    String streamContentType();

    /**
     * A document.
     *
     * @param json the document as JSON in UTF-8, with kind and apiVersion
     * @throws StatusException if its type has no such form
     */
    byte[] encode(TypeMeta type, byte[] json) throws StatusException;

    /** An object as it is stored; encodings that parse for it may remember the outcome. */
    default byte[] object(ServedObject object) throws StatusException {
        return encode(new TypeMeta(object.type().apiVersion(), object.type().kind()), object.json());
    }

    /**
     * A large document, which is written as it is made where the encoding allows that.
     *
     * @param json as for {@link #encode(TypeMeta, byte[])}
     * @throws StatusException if its type has no such form
     */
    default Body encode(TypeMeta type, Body json) throws StatusException {
        return Body.of(encode(type, json.bytes()));
    }

    /** An object as it is stored, as the whole of an answer. */
    default Body answer(ServedObject object) throws StatusException {
        return Body.of(object(object));
    }

    /** A list of objects as they are stored. */
    Body list(ServedList list) throws StatusException;

    /**
     * A frame of a stream.
     *
     * @param event the type of the event
     * @param encoded the object, encoded
     */
    byte[] frame(String event, byte[] encoded);
}
