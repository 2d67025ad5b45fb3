package io.plat.cli.review;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the members of an answer, strictly: one of another type than it should have makes the answer none. */
final class AnswerMembers {
    private final JsonParser json;

    /** Reads the value that the parser is at, or leaves it there to be skipped. */
    interface Reader {
        void read(String name) throws IOException, NoReviewException;
    }

    AnswerMembers(JsonParser json) {
        this.json = json;
    }

    /** Reads the object that the parser is at; it is left at its end. */
    void object(String what, Reader reader) throws IOException, NoReviewException {
        require(json.currentToken() == JsonToken.START_OBJECT, what, "an object");
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            reader.read(name);
            json.skipChildren();
        }
    }

    String string(String what) throws IOException, NoReviewException {
        require(json.currentToken() == JsonToken.VALUE_STRING, what, "a string");
        return json.getText();
    }

    boolean bool(String what) throws IOException, NoReviewException {
        require(json.currentToken().isBoolean(), what, "true or false");
        return json.getBooleanValue();
    }

    /** A list of strings; {@code null} is an empty one, as some writers put it. */
    List<String> strings(String what) throws IOException, NoReviewException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return List.of();
        }
        require(json.currentToken() == JsonToken.START_ARRAY, what, "a list of strings");
        List<String> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(string(what));
        }
        return values;
    }

    boolean isNull() {
        return json.currentToken() == JsonToken.VALUE_NULL;
    }

    private static void require(boolean right, String what, String expected) throws NoReviewException {
        if (!right) {
            throw new NoReviewException(what + ": expected " + expected);
        }
    }
}
