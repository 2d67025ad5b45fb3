package io.plat.engine.rbac.index;

import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules that differ in their verbs only: one lookup tells which of them, if any, covers a verb. A bucket that differs by some rules is
 * derived by copying references, without looking at the rules that stay.
 */
final class RuleBucket {
    static final RuleBucket EMPTY = new RuleBucket(new CompiledRule[0], null);

    /** So few are looked at one by one. */
    private static final int FEW = 4;

    private final CompiledRule[] rules;
    private final @Nullable VerbIndex verbs;

    private RuleBucket(CompiledRule[] rules, @Nullable VerbIndex verbs) {
        this.rules = rules;
        this.verbs = verbs;
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
        CompiledRule[] after = new CompiledRule[rules.length + plus.size()];
        int size = copyWithout(minus, after);
        for (CompiledRule rule : plus) {
            after[size++] = rule;
        }
        CompiledRule[] exact = size == after.length ? after : Arrays.copyOf(after, size);
        if (size <= FEW) {
            return new RuleBucket(exact, null);
        }
        return new RuleBucket(exact, (verbs == null ? VerbIndex.EMPTY : verbs).change(minus, exact, plus));
    }

    private int copyWithout(Set<CompiledRule> minus, CompiledRule[] to) {
        // Comparing references reads no rule; asking a set reads each one's hash code.
        CompiledRule[] gone = minus.size() <= FEW ? minus.toArray(CompiledRule[]::new) : new CompiledRule[0];
        int size = 0;
        for (CompiledRule rule : rules) {
            if (minus.size() <= FEW ? !isOneOf(rule, gone) : !minus.contains(rule)) {
                to[size++] = rule;
            }
        }
        return size;
    }

    @SuppressWarnings("ReferenceEquality") // Two rules are the same only if they are one object.
    private static boolean isOneOf(CompiledRule rule, CompiledRule[] rules) {
        for (CompiledRule other : rules) {
            if (rule == other) {
                return true;
            }
        }
        return false;
    }
}
