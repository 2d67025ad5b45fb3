package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.DuplicateFields;
import io.plat.apiserver.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Object parsed from a body.
 *
 * @param object the object; may be modified by its consumer
 * @param repeated paths of duplicate fields in order, limited in number
 */
public record ParsedObject(ObjectNode object, List<String> repeated) {
    public ParsedObject {
        Objects.requireNonNull(object);
        repeated = List.copyOf(repeated);
    }

    /** Returns an object without duplicate fields. */
    public static ParsedObject of(ObjectNode object) {
        return new ParsedObject(object, List.of());
    }

    /** Returns a warning for each duplicate field, and for each unknown one. */
    List<String> warnings(List<String> unknown) {
        if (repeated.isEmpty()) {
            return Shape.warnings(unknown);
        }
        var warnings = new ArrayList<String>();
        for (String path : repeated) {
            // Fields within an unknown field are reported as unknown only.
            if (unknown.stream().noneMatch(outer -> isAtOrBelow(path, outer))) {
                warnings.add(DuplicateFields.warning(path));
            }
        }
        warnings.addAll(Shape.warnings(unknown));
        return warnings;
    }

    private static boolean isAtOrBelow(String path, String outer) {
        return path.startsWith(outer)
                && (path.length() == outer.length()
                        || path.charAt(outer.length()) == '.'
                        || path.charAt(outer.length()) == '[');
    }
}
