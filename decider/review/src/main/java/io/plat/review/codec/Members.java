package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Typed reading of members off a stream of tokens. Every method is called when the current token is the first one of the value,
 * and ends on its last one. JSON null is the zero value, as the field's own servers write it for what is empty. A path names
 * the value in the failure and is only put together there.
 */
final class Members {
    private static final int MAX_DIGITS = 15;

    final JsonParser json;

    Members(JsonParser json) {
        this.json = json;
    }

    /** Advances to the value of the member that the parser stands at. */
    void value() throws IOException {
        json.nextToken();
    }

    void skip() throws IOException {
        json.skipChildren();
    }

    /** Whether an object starts here; false for null. */
    boolean object(String path) throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token != JsonToken.START_OBJECT && token != JsonToken.VALUE_NULL) {
            throw wrongType(path, "an object");
        }
        return token == JsonToken.START_OBJECT;
    }

    /** Whether an array starts here; false for null. */
    boolean array(String path) throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token != JsonToken.START_ARRAY && token != JsonToken.VALUE_NULL) {
            throw wrongType(path, "a list");
        }
        return token == JsonToken.START_ARRAY;
    }

    String string(String path) throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return "";
        }
        if (token != JsonToken.VALUE_STRING) {
            throw wrongType(path, "a string");
        }
        return wellFormed(path, json.getText());
    }

    /** A list of strings; null stands for the empty one, but not inside of it. */
    List<String> strings(String path) throws IOException, StatusException {
        if (!array(path)) {
            return List.of();
        }
        JsonToken token = json.nextToken();
        if (token == JsonToken.END_ARRAY) {
            return List.of();
        }
        List<String> strings = new ArrayList<>(4);
        for (; token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token != JsonToken.VALUE_STRING) {
                throw wrongType(path + "[" + strings.size() + "]", "a string");
            }
            strings.add(wellFormed(path, json.getText()));
        }
        return List.copyOf(strings);
    }

    boolean bool(String path) throws IOException, StatusException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            case NOT_AVAILABLE,
                    START_OBJECT,
                    END_OBJECT,
                    START_ARRAY,
                    END_ARRAY,
                    FIELD_NAME,
                    VALUE_EMBEDDED_OBJECT,
                    VALUE_STRING,
                    VALUE_NUMBER_INT,
                    VALUE_NUMBER_FLOAT -> throw wrongType(path, "true or false");
        };
    }

    /** A count; null is 0. */
    long count(String path) throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return 0;
        }
        // Looked at before it is converted: what is longer is no count of anything.
        boolean counts = token == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= MAX_DIGITS;
        if (!counts || json.getLongValue() < 0) {
            throw wrongType(path, "a count");
        }
        return json.getLongValue();
    }

    /** An escape can name half a character, which can't be written again and which other readers replace. */
    private static String wellFormed(String path, String text) throws StatusException {
        requireWellFormed(path, text);
        return text;
    }

    static void requireWellFormed(String path, String text) throws StatusException {
        if (!JsonText.isWellFormed(text)) {
            throw malformed(path + ": the string holds an unpaired surrogate");
        }
    }

    /** Reads the value of a member. */
    @FunctionalInterface
    interface Reader {
        void read(String path) throws IOException, StatusException;
    }

    /** Reads an element of a list whose first token is the current one. */
    @FunctionalInterface
    interface Element<T> {
        T read() throws IOException, StatusException;
    }

    /** Reads the members of an object that has begun; one that is known stands there once at most. */
    void read(String path, Map<String, Reader> known) throws IOException, StatusException {
        Set<String> seen = new HashSet<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            value();
            Reader reader = known.get(name);
            if (reader == null) {
                skip();
                continue;
            }
            String at = path.isEmpty() ? name : path + "." + name;
            if (!seen.add(name)) {
                throw malformed(at + ": given twice");
            }
            reader.read(at);
        }
    }

    /** Reads the members of an object that has to be there. */
    void required(String path, Map<String, Reader> known) throws IOException, StatusException {
        if (!object(path)) {
            throw wrongType(path, "an object");
        }
        read(path, known);
    }

    /** A list; null stands for the empty one. */
    <T> List<T> list(String path, Element<T> element) throws IOException, StatusException {
        List<T> elements = new ArrayList<>();
        if (array(path)) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                elements.add(element.read());
            }
        }
        return elements;
    }

    /** The set of members that were seen, with one more; refused when it was seen before. */
    static int once(int seen, int member, String path) throws StatusException {
        if ((seen & member) != 0) {
            throw malformed(path + ": given twice");
        }
        return seen | member;
    }

    StatusException wrongType(String path, String expected) {
        return malformed(path + ": expected " + expected + ", found " + describe());
    }

    private String describe() {
        JsonToken token = json.currentToken();
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> "null";
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT -> "something else";
        };
    }

    static StatusException malformed(String message) {
        return new StatusException(StatusReason.BAD_REQUEST, message);
    }
}
