package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.NonResourceAttributes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few short rules, as most roles have: looking at each costs less than any table, in time and in memory. How few and how short is
 * bounded, so the cost of a decision is too.
 */
final class FewRules implements Permissions {
    static final FewRules NONE = new FewRules(new CompiledRule[0]);

    private static final int RULES = 4;
    private static final int VALUES = 24;

    /** The first rule: it is looked at by every decision. */
    private final @Nullable CompiledRule first;

    private final CompiledRule[] rest;

    FewRules(CompiledRule[] rules) {
        this.first = rules.length == 0 ? null : rules[0];
        this.rest = rules.length == 0 ? rules : Arrays.copyOfRange(rules, 1, rules.length);
    }

    /** Whether the rules are few and short enough; object names are looked up by hash and don't count. */
    static boolean suits(List<CompiledRule> rules) {
        int values = 0;
        for (CompiledRule compiled : rules) {
            RbacRule rule = compiled.rule;
            values += rule.apiGroups().size()
                    + rule.resources().size()
                    + rule.nonResourceUrls().size();
        }
        return rules.size() <= RULES && values <= VALUES;
    }

    @Override
    public @Nullable CompiledRule find(Question question) {
        if (first == null || covers(first, question)) {
            return first;
        }
        for (CompiledRule rule : rest) {
            if (covers(rule, question)) {
                return rule;
            }
        }
        return null;
    }

    private static boolean covers(CompiledRule rule, Question question) {
        return rule.find(question.verbBit, question.verb, question.name) != null && rule.covers(question);
    }

    @Override
    public @Nullable CompiledRule find(NonResourceAttributes request) {
        long bit = Verbs.bit(request.verb());
        if (first == null || covers(first, bit, request)) {
            return first;
        }
        for (CompiledRule rule : rest) {
            if (covers(rule, bit, request)) {
                return rule;
            }
        }
        return null;
    }

    private static boolean covers(CompiledRule rule, long bit, NonResourceAttributes request) {
        return rule.coversVerb(bit, request.verb()) && rule.coversPath(request.path());
    }
}
