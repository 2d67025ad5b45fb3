package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;

/** What the forms of objects have in common: their encoding, and that a Status stays a Status in each of them. */
abstract class Form implements Representation {
    final Encoding encoding;

    Form(Encoding encoding) {
        this.encoding = encoding;
    }

    @Override
    public final String contentType() {
        return encoding.contentType();
    }

    @Override
    public final String streamContentType() {
        return encoding.streamContentType();
    }

    @Override
    public final byte[] document(TypeMeta type, byte[] json) throws StatusException {
        return encoding.encode(type, json);
    }

    @Override
    public final byte[] event(String type, ServedObject object) throws StatusException {
        return encoding.frame(type, object(object));
    }

    @Override
    public final byte[] statusEvent(Status status) {
        return encoding.frame("ERROR", status(status));
    }

    @Override
    public final byte[] bookmark(ResourceType type, long revision, boolean initialEventsEnd) {
        String annotations = initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        String metadata = "{\"resourceVersion\":\"" + revision + "\"" + annotations + "}";
        try {
            return encoding.frame("BOOKMARK", bookmark(type, metadata));
        } catch (StatusException e) {
            throw new IllegalStateException("a bookmark has the form of the objects that it stands among", e);
        }
    }

    /** The object of a bookmark: as one that has nothing but this metadata. */
    abstract byte[] bookmark(ResourceType type, String metadata) throws StatusException;

    /** A document that says what it is and holds nothing but metadata. */
    static byte[] onlyMetadata(TypeMeta type, String metadata) {
        return ("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion() + "\",\"metadata\":"
                        + metadata + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
