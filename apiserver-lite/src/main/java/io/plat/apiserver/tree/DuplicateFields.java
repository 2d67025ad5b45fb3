package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.JsonStreamContext;
import io.plat.apiserver.schema.FieldErrorMessages;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects duplicate fields of a document, by path. For one document. */
public final class DuplicateFields {
    /** Maximum number of reported fields, as in Kubernetes. */
    private static final int MAX_FIELDS = 100;

    /** Maximum length of a reported path, as names are chosen by clients. */
    private static final int MAX_LENGTH = 512;

    private final Set<String> paths = new LinkedHashSet<>();

    /**
     * Records a duplicate field.
     *
     * @param object parser context: in the object, at the field
     */
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

    public static String warning(String path) {
        return "duplicate field " + FieldErrorMessages.quoted(path);
    }
}
