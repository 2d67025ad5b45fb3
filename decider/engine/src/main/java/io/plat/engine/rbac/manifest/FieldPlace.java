package io.plat.engine.rbac.manifest;

import io.plat.review.source.Location;
import io.plat.review.source.SourceNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the line of a field by its path, such as {@code rules[0].verbs}. */
final class FieldPlace {
    private static final Pattern STEP = Pattern.compile("(\\w+)|\\[(\\d+)]");

    private FieldPlace() {}

    /** Where the field stands, or the nearest value around it that exists. */
    static Location of(SourceNode root, String path) {
        SourceNode at = root;
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            SourceNode next = next(at, step.group(1), step.group(2));
            if (next == null) {
                break;
            }
            at = next;
        }
        return at.where();
    }

    private static @Nullable SourceNode next(SourceNode at, @Nullable String field, @Nullable String index) {
        if (field != null) {
            return at instanceof SourceNode.Mapping mapping ? mapping.get(field) : null;
        }
        int position = index == null ? -1 : Integer.parseInt(index);
        return at instanceof SourceNode.Sequence sequence
                        && position < sequence.items().size()
                ? sequence.items().get(position)
                : null;
    }
}
