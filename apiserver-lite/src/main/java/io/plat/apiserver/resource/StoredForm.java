package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An object's bytes as the store holds them: its JSON without kind and apiVersion, which the key and the served version tell,
 * and without resourceVersion, which only the commit knows. {@code metadata} stands first and is never empty, so that the
 * resourceVersion of the served form always goes to the same place and nothing is parsed to serve an object.
 */
final class StoredForm {
    /** How every stored value begins. */
    static final String OPENING = "{\"metadata\":{";

    private StoredForm() {}

    /** The bytes to store of an object; the object may carry what is left out. */
    static byte[] encode(ObjectNode object) {
        try (var out = new ByteArrayBuilder(1024);
                JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeFieldName("metadata");
            writeWithout("resourceVersion", (ObjectNode) object.path("metadata"), json);
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                switch (field.getKey()) {
                    case "metadata", "kind", "apiVersion" -> {}
                    default -> write(field, json);
                }
            }
            json.writeEndObject();
            json.flush();
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }

    private static void writeWithout(String left, ObjectNode metadata, JsonGenerator json) throws IOException {
        json.writeStartObject();
        boolean empty = true;
        for (Map.Entry<String, JsonNode> field : metadata.properties()) {
            if (!field.getKey().equals(left)) {
                write(field, json);
                empty = false;
            }
        }
        json.writeEndObject();
        if (empty) {
            throw new IllegalArgumentException("an object without metadata can't be stored");
        }
    }

    private static void write(Map.Entry<String, JsonNode> field, JsonGenerator json) throws IOException {
        json.writeFieldName(field.getKey());
        Json.MAPPER.writeTree(json, field.getValue());
    }

    /** The object that was stored, with its resourceVersion unless the revision is 0, without kind and apiVersion. */
    static ObjectNode decode(byte[] stored, long revision) {
        try {
            ObjectNode object = (ObjectNode) Json.MAPPER.readTree(stored);
            if (revision > 0) {
                ((ObjectNode) object.path("metadata")).put("resourceVersion", Long.toString(revision));
            }
            return object;
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /**
     * The JSON that clients read, made without parsing.
     *
     * @param head what stands before {@code metadata}: kind and apiVersion with a comma behind each, or nothing
     */
    static byte[] serve(String head, byte[] stored, long revision) {
        String version = revision > 0 ? "\"resourceVersion\":\"" + revision + "\"," : "";
        byte[] front = ("{" + head + OPENING.substring(1) + version).getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[front.length + stored.length - OPENING.length()];
        System.arraycopy(front, 0, whole, 0, front.length);
        System.arraycopy(stored, OPENING.length(), whole, front.length, stored.length - OPENING.length());
        return whole;
    }
}
