package io.plat.engine.plugin;

import java.util.List;

/**
 * Field or label selector of a list, watch or deletecollection, as in the review: either raw or as requirements, all of which must match. A
 * requirement with an unknown operator has to be ignored, as in kube-apiserver: the request is then for more objects.
 *
 * @param raw the selector as in a query, or {@code ""}
 * @param requirements parsed requirements, none if it is raw
 */
public record Selector(String raw, List<Requirement> requirements) {
    /** Selector of every object. */
    public static final Selector NONE = new Selector("", List.of());

    public Selector {
        requirements = List.copyOf(requirements);
    }

    /**
     * One requirement.
     *
     * @param key field or label
     * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist} or a later one
     */
    public record Requirement(String key, String operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }
    }
}
