package io.plat.engine.abac;

import io.plat.engine.Decision;
import java.util.List;

/**
 * The lines of a policy file: a request is allowed if at least one line matches it.
 *
 * @param lines the lines, in the order of the file
 */
public record AbacPolicy(List<AbacLine> lines) {
    public AbacPolicy {
        lines = List.copyOf(lines);
    }

    /** Returns the Allow of each line, in the order of the file. */
    List<Decision.Allow> allows() {
        return lines.stream()
                .map(line -> new Decision.Allow(new AbacGrant(line)))
                .toList();
    }
}
