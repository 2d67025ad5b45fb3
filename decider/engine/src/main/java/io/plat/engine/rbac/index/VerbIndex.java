package io.plat.engine.rbac.index;

import io.plat.engine.lookup.Frozen;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** For each verb one of the rules that cover it. */
final class VerbIndex {
    static final VerbIndex EMPTY = new VerbIndex(new CompiledRule[Verbs.COUNT], Map.of(), null);

    private final @Nullable CompiledRule[] known;
    private final Map<String, CompiledRule> others;
    private final @Nullable CompiledRule all;

    private VerbIndex(@Nullable CompiledRule[] known, Map<String, CompiledRule> others, @Nullable CompiledRule all) {
        this.known = known;
        this.others = others;
        this.all = all;
    }

    @Nullable
    CompiledRule find(long bit, String verb) {
        if (bit != 0) {
            return known[Long.numberOfTrailingZeros(bit)];
        }
        return all != null ? all : others.get(verb);
    }

    /**
     * The index after rules went and others came.
     *
     * @param rules all rules afterwards; looked through only for a verb whose rule went, and for everything if there was no index yet
     */
    VerbIndex change(Set<CompiledRule> minus, CompiledRule[] rules, Collection<CompiledRule> plus) {
        Change change = new Change(minus, rules);
        if (this == EMPTY) {
            for (CompiledRule rule : rules) {
                change.add(rule);
            }
        } else {
            change.replaceThoseThatWent();
            plus.forEach(change::add);
        }
        return new VerbIndex(change.newKnown, Frozen.copyOf(change.newOthers), change.newAll);
    }

    /** One change in progress. */
    private final class Change {
        private final Set<CompiledRule> minus;
        private final CompiledRule[] rules;
        private final @Nullable CompiledRule[] newKnown = known.clone();
        private final Map<String, CompiledRule> newOthers = new HashMap<>(others);
        private @Nullable CompiledRule newAll = all;
        private long missing;

        Change(Set<CompiledRule> minus, CompiledRule[] rules) {
            this.minus = minus;
            this.rules = rules;
            this.missing = missing();
        }

        private long missing() {
            long bits = 0;
            for (int i = 0; i < newKnown.length; i++) {
                bits |= newKnown[i] == null ? 1L << i : 0;
            }
            return bits;
        }

        void replaceThoseThatWent() {
            for (int i = 0; i < newKnown.length; i++) {
                CompiledRule rule = newKnown[i];
                if (rule != null && minus.contains(rule)) {
                    newKnown[i] = first(1L << i, "");
                }
            }
            missing = missing();
            for (Map.Entry<String, CompiledRule> other : others.entrySet()) {
                if (minus.contains(other.getValue())) {
                    CompiledRule next = first(0, other.getKey());
                    if (next == null) {
                        newOthers.remove(other.getKey());
                    } else {
                        newOthers.put(other.getKey(), next);
                    }
                }
            }
            if (newAll != null && minus.contains(newAll)) {
                newAll = firstOfAllVerbs();
            }
        }

        private @Nullable CompiledRule first(long bit, String verb) {
            for (CompiledRule rule : rules) {
                if (rule.coversVerb(bit, verb)) {
                    return rule;
                }
            }
            return null;
        }

        private @Nullable CompiledRule firstOfAllVerbs() {
            for (CompiledRule rule : rules) {
                if (rule.verbs == Verbs.ALL) {
                    return rule;
                }
            }
            return null;
        }

        void add(CompiledRule rule) {
            for (long add = rule.verbs & missing; add != 0; add &= add - 1) {
                newKnown[Long.numberOfTrailingZeros(add)] = rule;
            }
            missing &= ~rule.verbs;
            if (rule.verbs == Verbs.ALL && newAll == null) {
                newAll = rule;
            }
            rule.otherVerbs().forEach(verb -> newOthers.putIfAbsent(verb, rule));
        }
    }
}
