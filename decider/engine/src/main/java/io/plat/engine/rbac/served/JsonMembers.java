package io.plat.engine.rbac.served;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Values of the types in role objects, at the parser's position. A value of another type is reported and skipped, so that the rest can be read.
 * Null means omitted, as Kubernetes writes it.
 */
final class JsonMembers {
    private final JsonParser json;
    private final Consumer<String> problems;

    JsonMembers(JsonParser json, Consumer<String> problems) {
        this.json = json;
        this.problems = problems;
    }

    /** Reads the value of one member, or passes over it. */
    @FunctionalInterface
    interface Member {
        void read(String name) throws IOException, MalformedRolesException;
    }

    /** Reads one element of a list. */
    @FunctionalInterface
    interface Element {
        void read() throws IOException, MalformedRolesException;
    }

    void object(String where, Member member) throws IOException, MalformedRolesException {
        if (opens(JsonToken.START_OBJECT, where, "an object")) {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                member.read(name);
            }
        }
    }

    void list(String where, Element element) throws IOException, MalformedRolesException {
        if (opens(JsonToken.START_ARRAY, where, "a list")) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                element.read();
            }
        }
    }

    private boolean opens(JsonToken expected, String where, String what) throws IOException {
        if (json.currentToken() == expected) {
            return true;
        }
        if (json.currentToken() != JsonToken.VALUE_NULL) {
            wrong(where, what);
        }
        return false;
    }

    String text(String where) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            return json.getText();
        }
        if (json.currentToken() != JsonToken.VALUE_NULL) {
            wrong(where, "a string");
        }
        return "";
    }

    List<String> texts(String where) throws IOException, MalformedRolesException {
        List<String> texts = new ArrayList<>();
        list(where, () -> {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                wrong(where, "strings");
            } else {
                texts.add(text(where));
            }
        });
        return texts;
    }

    /** Reports an unknown member. */
    void unknown(String where, String name) throws IOException {
        problems.accept(where + ": unknown field " + Quoted.of(name));
        json.skipChildren();
    }

    private void wrong(String where, String expected) throws IOException {
        problems.accept(where + ": expected " + expected);
        json.skipChildren();
    }
}
