package io.plat.engine.rbac.coverage;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Values of one dimension of a requested rule that are covered by the same held rules, so that they are compared only once.
 *
 * @param values the values; none if the rule is not limited in this dimension
 * @param rules the held rules that cover each of them
 */
record CoverageGroup(List<String> values, BitSet rules) {
    /** Groups values by the rules that cover them, in the order of the first value of each group. */
    static List<CoverageGroup> sort(Collection<String> values, Function<String, BitSet> covering) {
        // A LongBuffer is comparable, so colliding hash codes are harmless.
        Map<LongBuffer, CoverageGroup> byRules = new LinkedHashMap<>();
        for (String value : new LinkedHashSet<>(values)) {
            BitSet rules = covering.apply(value);
            byRules.computeIfAbsent(
                            LongBuffer.wrap(rules.toLongArray()), words -> new CoverageGroup(new ArrayList<>(), rules))
                    .values
                    .add(value);
        }
        return List.copyOf(byRules.values());
    }
}
