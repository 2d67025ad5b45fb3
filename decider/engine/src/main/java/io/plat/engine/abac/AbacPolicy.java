package io.plat.engine.abac;

import java.util.List;

/**
 * What a policy file says: a request is allowed when at least one line matches it.
 *
 * @param lines the lines that hold a policy, in the order of the file
 */
public record AbacPolicy(List<AbacLine> lines) {
    public AbacPolicy {
        lines = List.copyOf(lines);
    }
}
