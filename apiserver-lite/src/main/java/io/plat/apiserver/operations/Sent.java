package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.RepeatedFields;
import io.plat.apiserver.type.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An object as it was read from a body.
 *
 * @param object the object; whoever takes it may change it
 * @param repeated the fields that stood there more than once, by path, in their order; of very many only the first
 */
public record Sent(ObjectNode object, List<String> repeated) {
    public Sent {
        Objects.requireNonNull(object);
        repeated = List.copyOf(repeated);
    }

    /** An object in which no field stands twice. */
    public static Sent of(ObjectNode object) {
        return new Sent(object, List.of());
    }

    /** A line for each field that stood there more than once, and for each that the type does not have. */
    List<String> warnings(List<String> unknown) {
        if (repeated.isEmpty()) {
            return Shape.warnings(unknown);
        }
        var warnings = new ArrayList<String>();
        for (String path : repeated) {
            // What is in an unknown field, or is one, is unknown and nothing else.
            if (unknown.stream().noneMatch(outer -> isAtOrBelow(path, outer))) {
                warnings.add(RepeatedFields.warning(path));
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
