package io.plat.apiserver.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.plat.engine.lookup.Frozen;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies an object into an event: on one line, in ASCII, without omitted fields and with secrets masked; or only fields that are known to
 * be harmless. Malformed JSON is not copied.
 */
record ObjectRedactor(Set<String> omitted, Set<String> masked, Set<String> known) {
    static final String MARK = "(masked)";

    static final JsonFactory JSON =
            JsonFactories.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /**
     * Maximum depth at which fields are omitted or masked, so that the length of paths does not depend on the nesting of a client's object.
     */
    private static final int MAX_DEPTH = 5;

    private static final Set<String> METADATA = Set.of("name", "namespace", "uid", "resourceVersion");

    /**
     * @param omitted paths of omitted fields, such as {@code /metadata/managedFields}; {@code *} stands for the elements of an array
     * @param masked paths of masked fields, in the same form
     */
    ObjectRedactor(Set<String> omitted, Set<String> masked) {
        this(omitted, masked, Set.of());
    }

    ObjectRedactor {
        omitted = Frozen.copyOf(omitted);
        masked = Frozen.copyOf(masked);
        known = Frozen.copyOf(known);
    }

    /**
     * Creates a redactor that copies only known values: values under other names, and objects or lists under known names, are omitted.
     */
    static ObjectRedactor ofKnown(Set<String> known, Set<String> masked) {
        return new ObjectRedactor(Set.of(), masked, known);
    }

    /** Returns the copy; null unless the bytes are one JSON value. */
    @Nullable
    String copy(byte[] json) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(json.length + 64);
        try (JsonParser from = JSON.createParser(json);
                JsonGenerator to = JSON.createGenerator(bytes)) {
            JsonToken first = from.nextToken();
            if (first == null || (!known.isEmpty() && first != JsonToken.START_OBJECT)) {
                return null;
            }
            value(from, to, "", 0);
            if (from.nextToken() != null) {
                return null;
            }
        } catch (IOException malformed) {
            return null;
        }
        return bytes.toString(StandardCharsets.US_ASCII);
    }

    private void value(JsonParser from, JsonGenerator to, String path, int depth) throws IOException {
        if (from.currentToken() == JsonToken.START_OBJECT) {
            to.writeStartObject();
            while (from.nextToken() != JsonToken.END_OBJECT) {
                member(from, to, path, depth);
            }
            to.writeEndObject();
        } else if (from.currentToken() == JsonToken.START_ARRAY) {
            to.writeStartArray();
            String child = depth < MAX_DEPTH ? path + "/*" : path;
            while (from.nextToken() != JsonToken.END_ARRAY) {
                if (known.isEmpty() || isKnown(child, from.currentToken())) {
                    value(from, to, child, depth + 1);
                } else {
                    from.skipChildren();
                }
            }
            to.writeEndArray();
        } else {
            to.copyCurrentEventExact(from);
        }
    }

    private void member(JsonParser from, JsonGenerator to, String path, int depth) throws IOException {
        String name = from.currentName();
        String child = depth < MAX_DEPTH ? path + "/" + name : path;
        from.nextToken();
        if (depth < MAX_DEPTH && omitted.contains(child)) {
            from.skipChildren();
            return;
        }
        if (!known.isEmpty() && !isKnown(child, from.currentToken())) {
            from.skipChildren();
            return;
        }
        to.writeFieldName(name);
        if (depth < MAX_DEPTH && masked.contains(child)) {
            from.skipChildren();
            to.writeString(MARK);
        } else {
            value(from, to, child, depth + 1);
        }
    }

    /** Returns whether a value is known, masked, or contains such values. */
    private boolean isKnown(String path, JsonToken value) {
        return masked.contains(path)
                || (value.isScalarValue()
                        ? known.contains(path)
                        : known.stream().anyMatch(each -> each.startsWith(path + "/")));
    }

    /** Returns the strings in an object's metadata that identify it; empty if there are none. */
    static Map<String, String> metadata(byte[] json) {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser from = JSON.createParser(json)) {
            if (from.nextToken() != JsonToken.START_OBJECT) {
                return fields;
            }
            while (from.nextToken() == JsonToken.FIELD_NAME) {
                boolean metadata = from.currentName().equals("metadata");
                if (from.nextToken() == JsonToken.START_OBJECT && metadata) {
                    collect(from, fields);
                } else {
                    from.skipChildren();
                }
            }
        } catch (IOException malformed) {
            return Map.of();
        }
        return fields;
    }

    private static void collect(JsonParser from, Map<String, String> fields) throws IOException {
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            if (from.nextToken() == JsonToken.VALUE_STRING && METADATA.contains(name)) {
                fields.put(name, from.getText());
            } else {
                from.skipChildren();
            }
        }
    }
}
