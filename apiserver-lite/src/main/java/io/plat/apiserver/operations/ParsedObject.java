package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.DuplicateFields;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Shape;
import io.plat.engine.lookup.Frozen;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Object parsed from a body.
 *
 * @param object the object; may be modified by its consumer
 */
public record ParsedObject(ObjectNode object, DuplicateFields duplicates) {
    /** Returns an object without duplicate fields. */
    public static ParsedObject of(ObjectNode object) {
        return new ParsedObject(object, DuplicateFields.NONE);
    }

    /** Returns a warning for each duplicate and each unknown field; those of built-in types are in the order of the body. */
    List<String> warnings(ResourceType type, List<String> unknown) {
        if (unknown.isEmpty() && duplicates.paths().isEmpty()) {
            return List.of();
        }
        Set<String> fields = duplicates.paths().stream()
                // Fields within an unknown field are reported as unknown only.
                .filter(path -> unknown.stream().noneMatch(outer -> isAtOrBelow(path, outer)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (fields.isEmpty()) {
            return Shape.warnings(unknown);
        }
        Set<String> duplicate = Frozen.copyOf(fields);
        fields.addAll(unknown);
        return (!type.isCustom() && !unknown.isEmpty() ? duplicates.inOrder(fields) : fields)
                .stream()
                        .map(path -> duplicate.contains(path) ? DuplicateFields.warning(path) : Shape.warning(path))
                        .toList();
    }

    private static boolean isAtOrBelow(String path, String outer) {
        return path.startsWith(outer)
                && (path.length() == outer.length()
                        || path.charAt(outer.length()) == '.'
                        || path.charAt(outer.length()) == '[');
    }
}
