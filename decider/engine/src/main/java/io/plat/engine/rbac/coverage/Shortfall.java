package io.plat.engine.rbac.coverage;

import java.util.List;

/** What some rules grant beyond those that are held. */
public sealed interface Shortfall {
    /** All of it is held. */
    record Nothing() implements Shortfall {}

    /**
     * Some of it is not held.
     *
     * @param rules what is not, as messages of the field write rules: one line for each path and verb, or for each resource with all
     *     its verbs; sorted, at least one
     * @param more whether there is more than could be told
     */
    record Missing(List<String> rules, boolean more) implements Shortfall {
        public Missing {
            rules = List.copyOf(rules);
            if (rules.isEmpty()) {
                throw new IllegalArgumentException("something is missing, and nothing is named");
            }
        }
    }

    /** The rules are too many, and too different, to be compared within bounds. */
    record Unknown() implements Shortfall {}
}
