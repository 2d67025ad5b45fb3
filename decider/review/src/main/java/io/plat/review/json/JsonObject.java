package io.plat.review.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON object of another program, for lookups: a missing member, or one of another type than requested, is empty. Of duplicate members the last one
 * counts.
 *
 * @param members values as {@link #value} reads them
 */
public record JsonObject(Map<?, ? extends @Nullable Object> members) {
    private static final JsonObject EMPTY = new JsonObject(Map.of());

    /** Returns a value that is an object; an empty object for any other value. */
    public static JsonObject of(@Nullable Object value) {
        return value instanceof Map<?, ?> members ? new JsonObject(members) : EMPTY;
    }

    /**
     * Reads the only value of a document.
     *
     * @throws IOException if it is not one JSON document
     */
    public static @Nullable Object document(JsonParser in) throws IOException {
        in.nextToken();
        Object document = value(in);
        if (in.nextToken() != null) {
            throw new IOException("more than one JSON document");
        }
        return document;
    }

    /**
     * Reads the parser's current value: a map, list, string, long, double, boolean or null, or a {@link BigInteger} beyond long.
     *
     * @throws IOException if there is none
     */
    public static @Nullable Object value(JsonParser in) throws IOException {
        JsonToken token = in.currentToken();
        if (token == null) {
            throw new IOException("no JSON document");
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
                    in.nextToken();
                    members.put(name, value(in));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(in));
                }
                yield items;
            }
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT -> {
                BigInteger exact = in.getBigIntegerValue();
                yield exact.bitLength() < Long.SIZE ? (Number) exact.longValue() : exact;
            }
            case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("unexpected " + token);
        };
    }

    public boolean has(String name) {
        return members.containsKey(name);
    }

    public String text(String name) {
        return members.get(name) instanceof String text ? text : "";
    }

    /** Returns a boolean member; null for anything else. */
    public @Nullable Boolean flag(String name) {
        return members.get(name) instanceof Boolean flag ? flag : null;
    }

    /** Returns a number within int; 0 for anything else. */
    public int number(String name) {
        return members.get(name) instanceof Long number && number == number.intValue() ? number.intValue() : 0;
    }

    public JsonObject object(String name) {
        return of(members.get(name));
    }

    public List<JsonObject> objects(String name) {
        return list(name).stream()
                .filter(Map.class::isInstance)
                .map(JsonObject::of)
                .toList();
    }

    /** Returns the strings of a list. */
    public List<String> texts(String name) {
        return list(name).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    private List<?> list(String name) {
        return members.get(name) instanceof List<?> list ? list : List.of();
    }
}
