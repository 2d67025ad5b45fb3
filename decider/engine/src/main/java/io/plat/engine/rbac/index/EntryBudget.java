package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;

/**
 * Budget of index entries of a role. A rule has an entry for each combination of its values: up to a million. The number of entries
 * of a role is limited in proportion to its values; rules beyond that are compared one by one. For a single use.
 */
final class EntryBudget {
    /** Entries of any role, more than usual roles need. */
    private static final long FREE = 512;

    private static final int PER_VALUE = 4;

    private long remaining = FREE;
    private long total;

    /** Returns whether the next rule of the role has an entry for each combination. */
    boolean reserve(RbacRule rule) {
        long verbs = Math.max(1, rule.verbs().size() - Long.bitCount(Verbs.mask(rule.verbs())));
        long objects = product(
                rule.apiGroups().size(),
                product(rule.resources().size(), rule.resourceNames().size()));
        long entries =
                product(verbs, product(1, objects) + rule.nonResourceUrls().size());
        remaining += PER_VALUE
                * (verbs
                        + rule.apiGroups().size()
                        + rule.resources().size()
                        + rule.resourceNames().size()
                        + rule.nonResourceUrls().size());
        boolean split = entries <= remaining;
        total += split ? entries : 1;
        remaining -= split ? entries : 0;
        return split;
    }

    private static long product(long one, long other) {
        return Math.min(Integer.MAX_VALUE, Math.max(1, one) * Math.max(1, other));
    }

    /** Returns the number of entries of the rules so far. */
    long entries() {
        return total;
    }
}
