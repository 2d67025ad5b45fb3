package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import java.util.List;

/** What some rules grant beyond those that are held. */
public sealed interface Shortfall {
    /** All of it is held. */
    record Nothing() implements Shortfall {}

    /**
     * Some of it is not held.
     *
     * @param rules what is not: one for each path and verb, or for each resource with all its verbs; at least one, sorted by how
     *     they are written
     * @param more whether there is more than could be told
     */
    record Missing(List<RbacRule> rules, boolean more) implements Shortfall {
        public Missing {
            rules = List.copyOf(rules);
            if (rules.isEmpty()) {
                throw new IllegalArgumentException("something is missing, and nothing is named");
            }
        }

        /** The rules as messages of the field write them. */
        public List<String> lines() {
            return rules.stream().map(FieldNotation::of).toList();
        }
    }

    /** The rules are too many, and too different, to be compared within bounds. */
    record Unknown() implements Shortfall {}
}
