package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Typed reader of members from a stream of tokens. Each method starts at the first token of the value and ends at its last one. JSON null is the zero
 * value, as Kubernetes writes empty values. Failures have the path of the value, from the parser.
 *
 * @param json the parser, for values of any type
 */
public record Members(JsonParser json) {
    private static final int MAX_DIGITS = 15;

    /** Members below which names are chosen by the client, and left out of paths. */
    private static final Set<String> FREE_NAMES = Set.of("extra", "properties", "context");

    /** Returns whether an object starts here; false for null. */
    public boolean object() throws StatusException {
        return starts(JsonToken.START_OBJECT, "an object");
    }

    /** Returns whether an array starts here; false for null. */
    public boolean array() throws StatusException {
        return starts(JsonToken.START_ARRAY, "a list");
    }

    private boolean starts(JsonToken expected, String title) throws StatusException {
        JsonToken token = json.currentToken();
        if (token != expected && token != JsonToken.VALUE_NULL) {
            throw wrongType(path(), title);
        }
        return token == expected;
    }

    public String string() throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return "";
        }
        if (token != JsonToken.VALUE_STRING) {
            throw wrongType(path(), "a string");
        }
        String text = json.getText();
        requireWellFormed(text);
        return text;
    }

    /** Refuses an unpaired surrogate, which an escape can denote: it cannot be encoded again, and other readers replace it. */
    public void requireWellFormed(String text) throws StatusException {
        if (!JsonText.isWellFormed(text)) {
            String path = path();
            int element = path.endsWith("]") ? path.lastIndexOf('[') : path.length();
            throw malformed(path.substring(0, element) + ": the string contains an unpaired surrogate");
        }
    }

    /** Reads a list of strings; null means the empty one, but is invalid as an element. */
    List<String> strings() throws IOException, StatusException {
        if (!array()) {
            return List.of();
        }
        JsonToken token = json.nextToken();
        if (token == JsonToken.END_ARRAY) {
            return List.of();
        }
        List<String> strings = new ArrayList<>(4);
        for (; token != JsonToken.END_ARRAY; token = json.nextToken()) {
            if (token != JsonToken.VALUE_STRING) {
                throw wrongType(path(), "a string");
            }
            strings.add(string());
        }
        return List.copyOf(strings);
    }

    boolean bool() throws StatusException {
        return json.currentToken() != JsonToken.VALUE_NULL && flag();
    }

    /** Reads a boolean; null is invalid. */
    boolean flag() throws StatusException {
        JsonToken token = json.currentToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw wrongType(path(), "true or false");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    /** Reads a count; null is 0. */
    public long count() throws IOException, StatusException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return 0;
        }
        // Checked before the conversion: a longer text is not a count.
        boolean counts = token == JsonToken.VALUE_NUMBER_INT && json.getTextLength() <= MAX_DIGITS;
        if (!counts || json.getLongValue() < 0) {
            throw wrongType(path(), "a count");
        }
        return json.getLongValue();
    }

    /** Reader of an element of a list, from its first token. */
    @FunctionalInterface
    interface Element<T> {
        T read() throws IOException, StatusException;
    }

    /** Returns the position in its list of the current element, which must not be a list. */
    int index() {
        JsonStreamContext at = json.getParsingContext();
        return json.currentToken() == JsonToken.START_OBJECT ? at.getParent().getCurrentIndex() : at.getCurrentIndex();
    }

    /** Reads a list; null means the empty one. */
    <T> List<T> list(Element<T> element) throws IOException, StatusException {
        List<T> elements = new ArrayList<>();
        if (array()) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                elements.add(element.read());
            }
        }
        return elements;
    }

    /** Returns the members with these names of an object whose start was read. */
    public Known known(MemberNames names) {
        return new Known(names);
    }

    Known required(MemberNames names) throws StatusException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw wrongType(path(), "an object");
        }
        return new Known(names);
    }

    /** The known members of an object, sequentially; others are skipped. */
    public final class Known {
        private final MemberNames names;
        private long present;
        private int position = -1;

        private Known(MemberNames names) {
            this.names = names;
        }

        /**
         * Advances to the value of the next known member, and returns the member's name; null at the end of the object.
         *
         * @throws StatusException if a member occurs twice
         */
        public @Nullable String next() throws IOException, StatusException {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                int index = names.position(name, position);
                if (index >= 0) {
                    if ((present & (1L << index)) != 0) {
                        throw malformed(path() + ": given twice");
                    }
                    present |= 1L << index;
                    position = index;
                    return name;
                }
                json.skipChildren();
            }
            return null;
        }

        /** Returns the position of the current member in the table. */
        int position() {
            return position;
        }

        /** Reads all members of an object of strings; {@code ""} for missing ones. */
        String[] texts() throws IOException, StatusException {
            String[] texts = new String[names.size()];
            Arrays.fill(texts, "");
            while (next() != null) {
                texts[position] = string();
            }
            return texts;
        }
    }

    public StatusException wrongType(String path, String expected) {
        return malformed(path + ": expected " + expected + ", found " + describe());
    }

    /** Returns the path of the current value, such as {@code spec.groups[1]}. */
    public String path() {
        boolean begun = json.currentToken() == JsonToken.START_OBJECT || json.currentToken() == JsonToken.START_ARRAY;
        StringBuilder path = new StringBuilder();
        append(begun ? json.getParsingContext().getParent() : json.getParsingContext(), path);
        return path.toString();
    }

    /** Appends the path of a context; returns whether it was appended completely. Elements of responses are not numbered. */
    private static boolean append(JsonStreamContext at, StringBuilder path) {
        if (at.inRoot()) {
            return true;
        }
        if (!append(at.getParent(), path)) {
            return false;
        }
        if (at.inArray()) {
            boolean answer = path.indexOf("status.") == 0;
            path.append(answer ? "[]" : "[" + at.getCurrentIndex() + "]");
            return true;
        }
        path.append(path.isEmpty() ? "" : ".").append(at.getCurrentName());
        return !FREE_NAMES.contains(String.valueOf(at.getCurrentName()));
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

    public static StatusException malformed(String message) {
        return new StatusException(StatusReason.BAD_REQUEST, message);
    }
}
