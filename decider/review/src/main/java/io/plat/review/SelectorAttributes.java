package io.plat.review;

import java.util.List;

/**
 * A selector as part of a request: either the raw string or its parsed requirements.
 *
 * @param rawSelector the selector as in the query string, or {@code ""}
 * @param requirements the parsed requirements, empty if only the raw form is present
 */
public record SelectorAttributes(String rawSelector, List<Requirement> requirements) {
    public SelectorAttributes {
        requirements = List.copyOf(requirements);
    }

    /**
     * One requirement of a selector.
     *
     * @param key the label or field
     * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
     * @param values the values, empty for the latter two
     */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }
    }
}
