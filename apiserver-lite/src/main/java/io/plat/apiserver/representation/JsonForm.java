package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.ServedList;
import io.plat.apiserver.resource.ServedObject;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import java.nio.charset.StandardCharsets;

/** JSON as it is stored: nothing is parsed to answer. A watch's frame is one line. */
final class JsonForm implements Representation {
    static final JsonForm COMPACT = new JsonForm(false);

    /** Indented for people, but for the frames of a stream. */
    static final JsonForm PRETTY = new JsonForm(true);

    /** The media type. */
    static final String TYPE = "application/json";

    private static final byte[] END_OF_EVENT = ascii("}\n");

    private final boolean pretty;

    private JsonForm(boolean pretty) {
        this.pretty = pretty;
    }

    private byte[] shown(byte[] json) {
        return pretty ? IndentedJson.of(json) : json;
    }

    @Override
    public String contentType() {
        return TYPE;
    }

    @Override
    public String streamContentType() {
        return TYPE;
    }

    @Override
    public byte[] object(ServedObject object) {
        return shown(object.json());
    }

    @Override
    public Body list(ServedList list) {
        return Body.of(shown(list.json()));
    }

    @Override
    public byte[] document(TypeMeta type, byte[] json) {
        return shown(json);
    }

    @Override
    public byte[] event(String type, ServedObject object) {
        return frame(type, object.json());
    }

    @Override
    public byte[] statusEvent(Status status) {
        return frame("ERROR", StatusCodec.encode(status));
    }

    @Override
    public byte[] bookmark(ResourceType type, long revision, boolean initialEventsEnd) {
        return frame("BOOKMARK", bookmarkObject(type, revision, initialEventsEnd));
    }

    /** The object of a bookmark: of the watched type, but with nothing in it that belongs to an object. */
    static byte[] bookmarkObject(ResourceType type, long revision, boolean initialEventsEnd) {
        String annotations = initialEventsEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        return ascii("{\"kind\":\"" + type.kind() + "\",\"apiVersion\":\"" + type.apiVersion()
                + "\",\"metadata\":{\"resourceVersion\":\"" + revision + "\"" + annotations + "}}");
    }

    private static byte[] frame(String type, byte[] object) {
        byte[] head = ascii("{\"type\":\"" + type + "\",\"object\":");
        byte[] frame = new byte[head.length + object.length + END_OF_EVENT.length];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(object, 0, frame, head.length, object.length);
        System.arraycopy(END_OF_EVENT, 0, frame, head.length + object.length, END_OF_EVENT.length);
        return frame;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
