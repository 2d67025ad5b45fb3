package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.tree.Json;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * Stored form of an object: its JSON without kind and apiVersion, which follow from the key and the served version, and without
 * resourceVersion, which is unknown before the commit. {@code metadata} precedes all other fields and is never empty, so the
 * resourceVersion is inserted at a fixed position and an object is served without parsing.
 */
public final class StoredForm {
    static final String OPENING = "{\"metadata\":{";

    private static final String METADATA = OPENING.substring(1);

    /** Settings with which nodes write themselves, without the mapper's set-up and flush for each. */
    private static final SerializerProvider SETTINGS = Json.MAPPER.getSerializerProviderInstance();

    /** Size below which a parsed value is small, regardless of its content. */
    private static final int SMALL = 2048;

    private static final Set<String> IDENTIFYING = Set.of("uid", "deletionTimestamp");

    private StoredForm() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Maximum stored size of an object, that of the largest request body. */
    static final int MAX_BYTES = 3 << 20;

    /**
     * Returns the stored bytes of an object, which may contain the omitted fields.
     *
     * @throws StatusException 413 if the object has become too large, as by patches
     */
    public static byte[] encodeWithinBounds(ObjectNode object) throws StatusException {
        byte[] stored = encode(object);
        if (stored.length > MAX_BYTES) {
            throw new StatusException(
                    StatusReason.REQUEST_ENTITY_TOO_LARGE,
                    "the object is too large: " + stored.length + " bytes, limit is " + MAX_BYTES);
        }
        return stored;
    }

    /** Returns the stored bytes of an object that the server writes itself. */
    public static byte[] encode(ObjectNode object) {
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

    private static void writeWithout(String omitted, ObjectNode metadata, JsonGenerator json) throws IOException {
        json.writeStartObject();
        boolean empty = true;
        for (Map.Entry<String, JsonNode> field : metadata.properties()) {
            if (!field.getKey().equals(omitted)) {
                write(field, json);
                empty = false;
            }
        }
        json.writeEndObject();
        if (empty) {
            throw new IllegalArgumentException("an object without metadata cannot be stored");
        }
    }

    private static void write(Map.Entry<String, JsonNode> field, JsonGenerator json) throws IOException {
        json.writeFieldName(field.getKey());
        field.getValue().serialize(json, SETTINGS);
    }

    /** Parses a stored object, without kind and apiVersion; adds its resourceVersion unless the revision is 0. */
    public static ObjectNode decode(byte[] stored, long revision) {
        RequestMemory.current().compute(stored.length);
        if (stored.length > SMALL) {
            RequestMemory.current().hold(TreeSize.of(stored));
        }
        ObjectNode object = parse(stored);
        if (revision > 0) {
            ((ObjectNode) object.path("metadata")).put("resourceVersion", Long.toString(revision));
        }
        return object;
    }

    /**
     * Parses a stored object as {@link #decode} does, for a change that is retried after conflicts.
     *
     * @param copies number of its trees for which memory is charged, in place of those of the previous attempt
     */
    public static ObjectNode decodeCharged(byte[] stored, int copies) {
        RequestMemory.current().compute(stored.length);
        RequestMemory.current().chargeOnce(copies * TreeSize.of(stored));
        return parse(stored);
    }

    private static ObjectNode parse(byte[] stored) {
        try {
            return (ObjectNode) Json.STORED.readTree(stored);
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /** Returns the given fields of an object's metadata, if present. Metadata precedes all other fields, so nothing after it is parsed. */
    public static ObjectNode metadata(byte[] stored, Set<String> fields) {
        ObjectNode found = Json.object();
        try (JsonParser json = Json.STORED.createParser(stored)) {
            json.nextToken();
            json.nextFieldName();
            json.nextToken();
            for (String field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
                json.nextToken();
                if (fields.contains(field)) {
                    found.set(field, Json.STORED.readTree(json));
                } else {
                    json.skipChildren();
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /**
     * Identity of a stored object.
     *
     * @param deleted time at which its deletion began; {@code ""} before
     */
    public record Identity(String uid, String deleted) {}

    public static Identity identity(byte[] stored) {
        ObjectNode metadata = metadata(stored, IDENTIFYING);
        return new Identity(Json.text(metadata, "uid"), Json.text(metadata, "deletionTimestamp"));
    }

    /** Writes the JSON of an object's metadata, extracted without parsing. */
    static void writeMetadata(byte[] stored, long revision, OutputStream out) throws IOException {
        int end = endOfMetadata(stored);
        RequestMemory.current().compute(end);
        out.write(ascii("{" + version(revision)));
        out.write(stored, OPENING.length(), end - OPENING.length());
    }

    /** Returns the index after the closing brace of the metadata. */
    private static int endOfMetadata(byte[] stored) {
        int depth = 1;
        boolean quoted = false;
        for (int i = OPENING.length(); i < stored.length; i++) {
            switch (stored[i]) {
                case '"' -> quoted = !quoted;
                case '\\' -> i++;
                case '{' -> depth += quoted ? 0 : 1;
                case '}' -> {
                    depth -= quoted ? 0 : 1;
                    if (depth == 0) {
                        return i + 1;
                    }
                }
                default -> {}
            }
        }
        throw new IllegalStateException("a stored object is not JSON");
    }

    /**
     * Returns the served JSON, created without parsing.
     *
     * @param head JSON before {@code metadata}: kind and apiVersion with trailing commas, or nothing
     */
    static byte[] serve(String head, byte[] stored, long revision) {
        byte[] front = front(head, revision);
        byte[] served = new byte[front.length + stored.length - OPENING.length()];
        System.arraycopy(front, 0, served, 0, front.length);
        System.arraycopy(stored, OPENING.length(), served, front.length, stored.length - OPENING.length());
        return served;
    }

    /** Returns the size of the result of {@link #serve}. */
    static long size(String head, byte[] stored, long revision) {
        return (long) head.length() + version(revision).length() + stored.length;
    }

    /** Writes the result of {@link #serve}. */
    static void write(String head, byte[] stored, long revision, OutputStream out) throws IOException {
        out.write(front(head, revision));
        out.write(stored, OPENING.length(), stored.length - OPENING.length());
    }

    private static byte[] front(String head, long revision) {
        return ("{" + head + METADATA + version(revision)).getBytes(StandardCharsets.UTF_8);
    }

    private static String version(long revision) {
        return revision > 0 ? "\"resourceVersion\":\"" + revision + "\"," : "";
    }
}
