package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.TreeWriter;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An object's bytes as the store holds them: its JSON without kind and apiVersion, which the key and the served version tell,
 * and without resourceVersion, which only the commit knows. {@code metadata} stands first and is never empty, so that the
 * resourceVersion of the served form always goes to the same place and nothing is parsed to serve an object.
 */
public final class StoredForm {
    /** How every stored value begins. */
    static final String OPENING = "{\"metadata\":{";

    private static final byte[] ITEM_HEAD = ascii(OPENING + "\"resourceVersion\":\"");
    private static final byte[] ITEM_VERSION_END = ascii("\",");

    /** What is read of no more bytes than this is small, whatever they are. */
    private static final int SMALL = 2048;

    private StoredForm() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The most bytes that are stored of one object: what the largest body of a request holds. */
    static final int MOST = 3 << 20;

    /**
     * The bytes to store of an object; the object may carry what is left out.
     *
     * @throws StatusException 413 for an object that has grown too large, as it can by patches
     */
    public static byte[] encodeWithinBounds(ObjectNode object) throws StatusException {
        byte[] stored = encode(object);
        if (stored.length > MOST) {
            throw new StatusException(
                    StatusReason.REQUEST_ENTITY_TOO_LARGE,
                    "the object is too large: " + stored.length + " bytes, limit is " + MOST);
        }
        return stored;
    }

    /** The same of what a server writes of its own. */
    public static byte[] encode(ObjectNode object) {
        try (var out = new ByteArrayBuilder(1024);
                JsonGenerator json = Json.MAPPER.createGenerator(out)) {
            json.writeStartObject();
            json.writeFieldName("metadata");
            writeWithout("resourceVersion", (ObjectNode) object.path("metadata"), json);
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                switch (field.getKey()) {
                    case "metadata", "kind", "apiVersion" -> {}
                    default -> TreeWriter.write(field, json);
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
                TreeWriter.write(field, json);
                empty = false;
            }
        }
        json.writeEndObject();
        if (empty) {
            throw new IllegalArgumentException("an object without metadata can't be stored");
        }
    }

    /** The object that was stored, with its resourceVersion unless the revision is 0, without kind and apiVersion. */
    public static ObjectNode decode(byte[] stored, long revision) {
        if (stored.length > SMALL) {
            RequestMemory.current().hold(TreeSize.of(stored));
        }
        try {
            ObjectNode object = (ObjectNode) Json.STORED.readTree(stored);
            if (revision > 0) {
                ((ObjectNode) object.path("metadata")).put("resourceVersion", Long.toString(revision));
            }
            return object;
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /** Writes the JSON of an object's metadata, cut out without parsing. */
    static void writeMetadata(byte[] stored, long revision, OutputStream out) throws IOException {
        out.write(ascii("{" + version(revision)));
        out.write(stored, OPENING.length(), endOfMetadata(stored) - OPENING.length());
    }

    /** The index behind the brace that closes the metadata. */
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

    /** How many bytes {@link #writeItem} writes. */
    static int itemSize(byte[] stored, long revision) {
        int digits = 1;
        for (long rest = revision; rest >= 10; rest /= 10) {
            digits++;
        }
        return Math.addExact(stored.length - OPENING.length(), ITEM_HEAD.length + digits + ITEM_VERSION_END.length);
    }

    /** Writes what a list holds of an object that was stored under a revision. */
    static void writeItem(byte[] stored, long revision, OutputStream out) throws IOException {
        out.write(ITEM_HEAD);
        out.write(ascii(Long.toString(revision)));
        out.write(ITEM_VERSION_END);
        out.write(stored, OPENING.length(), stored.length - OPENING.length());
    }

    /**
     * The JSON that clients read, made without parsing.
     *
     * @param head what stands before {@code metadata}: kind and apiVersion with a comma behind each, or nothing
     */
    static byte[] serve(String head, byte[] stored, long revision) {
        byte[] front = front(head, revision);
        byte[] whole = new byte[front.length + stored.length - OPENING.length()];
        System.arraycopy(front, 0, whole, 0, front.length);
        System.arraycopy(stored, OPENING.length(), whole, front.length, stored.length - OPENING.length());
        return whole;
    }

    /** The number of bytes that {@link #serve} returns. */
    static long size(String head, byte[] stored, long revision) {
        return (long) front(head, revision).length + stored.length - OPENING.length();
    }

    /** Writes what {@link #serve} returns. */
    static void write(String head, byte[] stored, long revision, OutputStream out) throws IOException {
        out.write(front(head, revision));
        out.write(stored, OPENING.length(), stored.length - OPENING.length());
    }

    private static byte[] front(String head, long revision) {
        return ("{" + head + OPENING.substring(1) + version(revision)).getBytes(StandardCharsets.UTF_8);
    }

    private static String version(long revision) {
        return revision > 0 ? "\"resourceVersion\":\"" + revision + "\"," : "";
    }
}
