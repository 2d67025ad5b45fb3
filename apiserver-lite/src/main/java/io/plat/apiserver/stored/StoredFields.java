package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reader of single fields of a stored object without building a tree, up to the field only. */
public final class StoredFields {
    private static final JsonFactory JSON = JsonFactories.create();

    private static final List<String> LABELS = List.of("metadata", "labels");

    private StoredFields() {}

    /** Returns the labels; metadata precedes all other fields in stored objects, so little is read. */
    public static Map<String, String> labels(byte[] stored) {
        try (JsonParser json = JSON.createParser(stored)) {
            if (!find(json, LABELS) || json.currentToken() != JsonToken.START_OBJECT) {
                return Map.of();
            }
            Map<String, String> labels = new HashMap<>();
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                if (json.nextToken() == JsonToken.VALUE_STRING) {
                    labels.put(name, json.getText());
                }
            }
            return labels;
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    /** Returns the text of the scalar at a path; {@code ""} if absent. */
    public static String text(byte[] stored, List<String> path) {
        try (JsonParser json = JSON.createParser(stored)) {
            return find(json, path)
                            && json.currentToken().isScalarValue()
                            && json.currentToken() != JsonToken.VALUE_NULL
                    ? json.getText()
                    : "";
        } catch (IOException e) {
            throw new UncheckedIOException("a stored object is not JSON", e);
        }
    }

    private static boolean find(JsonParser json, List<String> path) throws IOException {
        json.nextToken();
        for (String step : path) {
            if (json.currentToken() != JsonToken.START_OBJECT || !find(json, step)) {
                return false;
            }
        }
        return true;
    }

    private static boolean find(JsonParser json, String step) throws IOException {
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            if (name.equals(step)) {
                return true;
            }
            json.skipChildren();
        }
        return false;
    }
}
