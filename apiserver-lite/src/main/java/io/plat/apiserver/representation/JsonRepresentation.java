package io.plat.apiserver.representation;

import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import java.nio.ByteBuffer;

/** JSON of stored objects, without parsing. A frame is one line. */
final class JsonRepresentation extends Representation {
    static final String TYPE = "application/json";

    static final JsonRepresentation COMPACT = new JsonRepresentation(false);

    /** Indented variant. Streams are always compact. */
    static final JsonRepresentation PRETTY = new JsonRepresentation(true);

    private static final byte[] END_OF_FRAME = JsonList.ascii("}\n");

    private final boolean pretty;

    private JsonRepresentation(boolean pretty) {
        this.pretty = pretty;
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
    public byte[] document(TypeMeta type, byte[] json) {
        return pretty ? IndentedJson.of(json) : json;
    }

    @Override
    Body document(TypeMeta type, Body json) {
        return pretty ? out -> IndentedJson.write(json, out) : json;
    }

    @Override
    public Body answer(ServedObject object) {
        TypeMeta type = Representation.typeOf(object.type());
        return object.isLarge() && object.storedAsServed()
                ? document(type, Body.of(object.size(), object::writeTo))
                : Body.of(document(type, object.json()));
    }

    @Override
    public Body list(ServedList list) {
        JsonList json = new JsonList(list);
        if (!pretty) {
            return json;
        }
        return list.isLarge() ? out -> IndentedJson.write(json, out) : Body.of(IndentedJson.of(json.bytes()));
    }

    @Override
    byte[] frame(String event, byte[] encoded) {
        byte[] head = JsonList.ascii("{\"type\":\"" + event + "\",\"object\":");
        return ByteBuffer.allocate(head.length + encoded.length + END_OF_FRAME.length)
                .put(head)
                .put(encoded)
                .put(END_OF_FRAME)
                .array();
    }
}
