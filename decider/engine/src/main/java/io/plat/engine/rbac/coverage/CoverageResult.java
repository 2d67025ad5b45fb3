package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import java.util.List;

/** Rules that grant more than the held ones. */
public sealed interface CoverageResult {
    /** All of them are held. */
    record Nothing() implements CoverageResult {}

    /**
     * Some are not held.
     *
     * @param rules the missing ones: one for each path and verb, or for each resource with all its verbs; at least one, sorted by text
     * @param more whether there are more than reported
     */
    record Missing(List<RbacRule> rules, boolean more) implements CoverageResult {
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
    record Unknown() implements CoverageResult {}
}
