package io.plat.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON document of a command's result, from maps, collections, strings, numbers, booleans and null. Unpaired surrogates are replaced. */
public final class JsonAnswer {
    private static final JsonFactory JSON = JsonFactories.create();

    private JsonAnswer() {}

    /** A value with custom serialization. */
    @FunctionalInterface
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * Returns an object.
     *
     * @param members alternating names and values; null values are omitted
     */
    public static Map<String, Object> object(@Nullable Object... members) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            Object value = members[i + 1];
            if (value != null) {
                object.put(String.valueOf(members[i]), value);
            }
        }
        return object;
    }

    /** Returns a list, or null to omit an empty one. */
    public static <T extends Collection<?>> @Nullable T unlessEmpty(T values) {
        return values.isEmpty() ? null : values;
    }

    /** Returns the document as bytes. */
    public static byte[] of(@Nullable Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            write(value, json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }

    private static void write(@Nullable Object value, JsonGenerator json) throws IOException {
        switch (value) {
            case Map<?, ?> object -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> member : object.entrySet()) {
                    json.writeFieldName(String.valueOf(member.getKey()));
                    write(member.getValue(), json);
                }
                json.writeEndObject();
            }
            case Collection<?> list -> {
                json.writeStartArray();
                for (Object item : list) {
                    write(item, json);
                }
                json.writeEndArray();
            }
            case String text -> json.writeString(JsonText.wellFormed(text));
            case Boolean bool -> json.writeBoolean(bool);
            case Number number -> json.writeNumber(number.longValue());
            case Body body -> body.write(json);
            case null -> json.writeNull();
            default -> throw new IllegalArgumentException("no value of a document: " + value);
        }
    }
}
