package io.plat.engine.rbac.index;

import io.plat.engine.lookup.Frozen;
import io.plat.engine.rbac.RbacRule;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule within a role, with its verbs and names prepared for lookups. Two are the same only if they are one object. */
final class CompiledRule implements Permit {
    /** The number of the role that has the rule: for an aggregating role that one, not the one that it was taken from. */
    final int role;

    final RbacRule rule;
    final long verbs;
    private final Set<String> otherVerbs;
    private final Set<String> names;

    CompiledRule(int role, RbacRule rule) {
        this.role = role;
        this.rule = rule;
        this.verbs = Verbs.mask(rule.verbs());
        this.otherVerbs = verbs == Verbs.ALL ? Set.of() : others(rule.verbs());
        this.names = Frozen.copyOf(rule.resourceNames());
    }

    private static Set<String> others(List<String> verbs) {
        return Frozen.copyOf(verbs.stream().filter(verb -> Verbs.bit(verb) == 0).toList());
    }

    /** The object names that the rule is limited to; empty for a rule without such a limit. */
    Set<String> names() {
        return names;
    }

    /** The verbs that have no bit. */
    Set<String> otherVerbs() {
        return otherVerbs;
    }

    boolean coversVerb(long bit, String verb) {
        return bit != 0 ? (verbs & bit) != 0 : verbs == Verbs.ALL || otherVerbs.contains(verb);
    }

    @Override
    public @Nullable CompiledRule find(long bit, String verb, String name) {
        return coversVerb(bit, verb) && (names.isEmpty() || (!name.isEmpty() && names.contains(name))) ? this : null;
    }
}
