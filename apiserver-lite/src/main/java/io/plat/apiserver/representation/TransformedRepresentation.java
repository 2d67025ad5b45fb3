package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.review.status.StatusException;

/** Representation of objects as documents of another type, in one of the formats. */
abstract class TransformedRepresentation extends Representation {
    private final Representation format;

    TransformedRepresentation(Representation format) {
        this.format = format;
    }

    @Override
    public final String contentType() {
        return format.contentType();
    }

    @Override
    public final String streamContentType() {
        return format.streamContentType();
    }

    @Override
    public final byte[] document(TypeMeta type, byte[] json) throws StatusException {
        return format.document(type, json);
    }

    final Body document(TypeMeta type, Body json, boolean large) throws StatusException {
        return large ? format.document(type, json) : Body.of(document(type, json.bytes()));
    }

    @Override
    final byte[] frame(String event, byte[] encoded) {
        return format.frame(event, encoded);
    }
}
