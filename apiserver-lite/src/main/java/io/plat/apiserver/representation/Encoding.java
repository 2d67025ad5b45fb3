package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.status.StatusException;

/** Encoding of single documents and of stream frames. Thread-safe. */
interface Encoding {
    /** Returns the media type of a response. */
    String contentType();

    /** Returns the media type of a stream. */
    String streamContentType();

    /**
     * Encodes a document.
     *
     * @param json document as UTF-8 JSON with kind and apiVersion
     * @throws StatusException if its type does not support this encoding
     */
    byte[] encode(TypeMeta type, byte[] json) throws StatusException;

    /** Encodes a stored object; encodings that need to parse it may cache the result. */
    default byte[] object(ServedObject object) throws StatusException {
        return encode(Representation.typeOf(object.type()), object.json());
    }

    /**
     * Encodes a large document, streaming if the encoding permits.
     *
     * @param json as for {@link #encode(TypeMeta, byte[])}
     * @throws StatusException if its type does not support this encoding
     */
    default Body encode(TypeMeta type, Body json) throws StatusException {
        return Body.of(encode(type, json.bytes()));
    }

    /** Encodes a stored object as a complete response. */
    default Body answer(ServedObject object) throws StatusException {
        return Body.of(object(object));
    }

    /** Encodes a list of stored objects. */
    Body list(ServedList list) throws StatusException;

    /** Encodes a frame of a stream. */
    byte[] frame(String event, byte[] encoded);
}
