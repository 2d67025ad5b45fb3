package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.schema.FieldErrorMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Duplicate fields of a document, by path. For one document. */
public final class DuplicateFields {
    /** Maximum number of reported fields, as in Kubernetes. */
    private static final int MAX_FIELDS = 100;

    /** Maximum length of a reported path, as names are chosen by clients. */
    private static final int MAX_LENGTH = 512;

    /** Duplicate fields of an object that was not read from a document: none. */
    public static final DuplicateFields NONE = new DuplicateFields(new byte[0]);

    private final Set<String> paths = new LinkedHashSet<>();
    private final byte[] document;

    DuplicateFields(byte[] document) {
        this.document = document;
    }

    void add(JsonStreamContext object) {
        if (paths.size() < MAX_FIELDS) {
            paths.add(path(object));
        }
    }

    private static String path(JsonStreamContext field) {
        Deque<JsonStreamContext> steps = new ArrayDeque<>();
        for (JsonStreamContext at = field; at != null && !at.inRoot(); at = at.getParent()) {
            steps.push(at);
        }
        var path = new StringBuilder();
        for (JsonStreamContext step : steps) {
            if (step.inArray()) {
                path.append('[').append(step.getCurrentIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getCurrentName());
            }
            if (path.length() > MAX_LENGTH) {
                return path.substring(0, MAX_LENGTH) + "...";
            }
        }
        return path.toString();
    }

    public List<String> paths() {
        return List.copyOf(paths);
    }

    /** Sorts fields into the order of the document, duplicate ones by their second occurrence. */
    public List<String> inOrder(Set<String> fields) {
        Set<String> remaining = new LinkedHashSet<>(fields);
        Set<String> once = new HashSet<>();
        List<String> ordered = new ArrayList<>();
        try (JsonParser json = Json.MAPPER.createParser(document)) {
            for (JsonToken token = json.nextToken(); token != null && !remaining.isEmpty(); token = json.nextToken()) {
                String path = token == JsonToken.FIELD_NAME ? path(json.getParsingContext()) : "";
                if (remaining.contains(path) && !(paths.contains(path) && once.add(path))) {
                    remaining.remove(path);
                    ordered.add(path);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the document was read before", e);
        }
        ordered.addAll(remaining);
        return ordered;
    }

    public static String warning(String path) {
        return "duplicate field " + FieldErrorMessages.quoted(path);
    }
}
