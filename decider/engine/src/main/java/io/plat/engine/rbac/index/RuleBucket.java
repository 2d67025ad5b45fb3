package io.plat.engine.rbac.index;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules that differ in their verbs only: one lookup tells which of them, if any, covers a verb. */
final class RuleBucket {
    static final RuleBucket EMPTY = new RuleBucket(new CompiledRule[0]);

    /** So few are looked at one by one. */
    private static final int FEW = 4;

    private final CompiledRule[] rules;
    private final @Nullable VerbIndex verbs;

    private RuleBucket(CompiledRule[] rules) {
        this.rules = rules;
        this.verbs = rules.length <= FEW ? null : new VerbIndex(rules);
    }

    boolean isEmpty() {
        return rules.length == 0;
    }

    @Nullable
    CompiledRule find(long bit, String verb) {
        if (verbs != null) {
            return verbs.find(bit, verb);
        }
        for (CompiledRule rule : rules) {
            if (rule.coversVerb(bit, verb)) {
                return rule;
            }
        }
        return null;
    }

    RuleBucket change(Set<CompiledRule> minus, Collection<CompiledRule> plus) {
        Stream<CompiledRule> kept =
                minus.isEmpty() ? Stream.of(rules) : Stream.of(rules).filter(r -> !minus.contains(r));
        return new RuleBucket(Stream.concat(kept, plus.stream()).toArray(CompiledRule[]::new));
    }

    /** For each verb the first rule that covers it. */
    private static final class VerbIndex {
        private final @Nullable CompiledRule[] known = new CompiledRule[Verbs.COUNT];
        private final Map<String, CompiledRule> others = new HashMap<>();
        private @Nullable CompiledRule all;

        VerbIndex(CompiledRule[] rules) {
            long missing = Verbs.ALL;
            for (CompiledRule rule : rules) {
                if (rule.verbs == Verbs.ALL && all == null) {
                    all = rule;
                }
                for (long add = rule.verbs & missing & ((1L << Verbs.COUNT) - 1); add != 0; add &= add - 1) {
                    known[Long.numberOfTrailingZeros(add)] = rule;
                }
                missing &= ~rule.verbs;
                rule.otherVerbs().forEach(verb -> others.putIfAbsent(verb, rule));
            }
        }

        @Nullable
        CompiledRule find(long bit, String verb) {
            if (bit != 0) {
                return known[Long.numberOfTrailingZeros(bit)];
            }
            return all != null ? all : others.get(verb);
        }
    }
}
