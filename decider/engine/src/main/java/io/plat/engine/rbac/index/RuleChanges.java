package io.plat.engine.rbac.index;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules that go from one key of a table, and those that come. */
final class RuleChanges {
    final Set<CompiledRule> minus = new HashSet<>();
    final List<CompiledRule> plus = new ArrayList<>();

    void add(CompiledRule rule, boolean comes) {
        if (comes) {
            plus.add(rule);
        } else {
            minus.add(rule);
        }
    }
}
