package io.plat.apiserver.audit.policy;

import java.util.Set;

/**
 * What is recorded of a request.
 *
 * @param level how much
 * @param omitted the stages at which nothing is recorded
 * @param omitsManagedFields whether objects are recorded without {@code metadata.managedFields}
 */
public record Verdict(Level level, Set<Stage> omitted, boolean omitsManagedFields) {
    /** Nothing is recorded. */
    static final Verdict NOTHING = new Verdict(Level.NONE, Set.of(), false);

    public Verdict {
        omitted = Set.copyOf(omitted);
    }

    /** Whether anything is recorded. */
    public boolean records() {
        return level != Level.NONE;
    }
}
