package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of requested rules with rules that the user holds.
 *
 * <p>A rule is a product of groups, resources, names and verbs, so an object of three megabytes may have far too many atoms for a comparison.
 * Therefore the values of each dimension are grouped by the held rules that cover them; only these groups are multiplied, and only while a held rule
 * covers the chosen values. Few held rules make few groups, regardless of the number of values; if there are still too many, the result is {@link
 * CoverageResult.Unknown}. Used once, by one thread.
 */
public final class Coverage {
    /** Maximum number of compared words of rule sets, which takes some tens of milliseconds and megabytes. */
    static final long MAX_STEPS = 4_000_000;

    private final StepBudget steps;
    private final HeldRules held;
    private final MissingRules missing = new MissingRules();

    private Coverage(Collection<RbacRule> held, Collection<RbacRule> wanted, StepBudget steps) {
        this.steps = steps;
        this.held = new HeldRules(held, new RequestedValues(wanted), steps);
    }

    /** Returns the access that the requested rules grant beyond the held ones. */
    public static CoverageResult of(Collection<RbacRule> held, Collection<RbacRule> wanted) {
        return of(held, wanted, MAX_STEPS);
    }

    static CoverageResult of(Collection<RbacRule> held, Collection<RbacRule> wanted, long mostSteps) {
        StepBudget steps = new StepBudget(mostSteps);
        Coverage coverage = new Coverage(held, wanted, steps);
        for (RbacRule rule : new LinkedHashSet<>(wanted)) {
            coverage.missing.of(rule);
            coverage.compareResources(rule);
            coverage.comparePaths(rule);
        }
        return steps.exceeded() ? new CoverageResult.Unknown() : coverage.missing.shortfall();
    }

    private void compareResources(RbacRule rule) {
        if (rule.apiGroups().isEmpty()
                || rule.resources().isEmpty()
                || rule.verbs().isEmpty()) {
            return;
        }
        List<CoverageGroup> names = rule.resourceNames().isEmpty()
                ? List.of(new CoverageGroup(List.of(), held.withAnyName()))
                : CoverageGroup.sort(rule.resourceNames(), held::withName);
        List<List<CoverageGroup>> dimensions = List.of(
                CoverageGroup.sort(rule.apiGroups(), held::withGroup),
                CoverageGroup.sort(rule.resources(), held::withResource),
                names,
                CoverageGroup.sort(rule.verbs(), held::withVerb));
        compare(
                dimensions,
                new ArrayList<>(),
                null,
                values -> missing.add(values.get(0), values.get(1), values.get(2), values.get(3)));
    }

    private void comparePaths(RbacRule rule) {
        if (rule.nonResourceUrls().isEmpty() || rule.verbs().isEmpty()) {
            return;
        }
        List<List<CoverageGroup>> dimensions = List.of(
                CoverageGroup.sort(rule.nonResourceUrls(), held::withUrl),
                CoverageGroup.sort(rule.verbs(), held::withVerb));
        compare(dimensions, new ArrayList<>(), null, values -> missing.add(values.get(0), values.get(1)));
    }

    /** Receiver of products of values, one list for each dimension, that no held rule covers. */
    private interface Uncovered {
        void found(List<List<String>> values);
    }

    /**
     * Compares the groups of the next dimension.
     *
     * @param chosen the values chosen in the previous dimensions
     * @param covering the held rules that cover those, null before the first dimension
     */
    private void compare(
            List<List<CoverageGroup>> dimensions,
            List<List<String>> chosen,
            @Nullable BitSet covering,
            Uncovered uncovered) {
        if (chosen.size() == dimensions.size() || steps.exceeded()) {
            return;
        }
        for (CoverageGroup alike : dimensions.get(chosen.size())) {
            BitSet both = covering == null ? alike.rules() : held.both(covering, alike.rules());
            chosen.add(alike.values());
            if (both.isEmpty()) {
                uncovered.found(completed(dimensions, chosen));
            } else {
                compare(dimensions, chosen, both, uncovered);
            }
            chosen.removeLast();
            if (!steps.take(1)) {
                return;
            }
        }
    }

    /** Returns the chosen values, with every value of the remaining dimensions. */
    private List<List<String>> completed(List<List<CoverageGroup>> dimensions, List<List<String>> chosen) {
        List<List<String>> values = new ArrayList<>(chosen);
        for (int i = chosen.size(); i < dimensions.size(); i++) {
            List<String> all = new ArrayList<>();
            for (CoverageGroup alike : dimensions.get(i)) {
                all.addAll(alike.values());
                steps.take(alike.values().size());
            }
            values.add(all);
        }
        return values;
    }
}
