package io.plat.engine.access;

import io.plat.engine.rbac.RbacRule;
import java.util.List;

/** Rules that grant more than the held ones. */
public sealed interface CoverageResult {
    /** All rules are held. */
    record Nothing() implements CoverageResult {}

    /**
     * Some rules are not held.
     *
     * @param rules the missing ones: one for each path and verb, or for each resource with all its verbs; at least one, sorted by text
     * @param more whether there are more
     */
    record Missing(List<RbacRule> rules, boolean more) implements CoverageResult {
        public Missing {
            rules = List.copyOf(rules);
            if (rules.isEmpty()) {
                throw new IllegalArgumentException("no missing rules");
            }
        }

        /** Returns the rules as in Kubernetes' messages. */
        public List<String> lines() {
            return rules.stream().map(FieldNotation::of).toList();
        }
    }

    /** The rules are too many or too complex for a comparison. */
    record Unknown() implements CoverageResult {}
}
