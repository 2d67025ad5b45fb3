package io.plat.cli.policytest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Coverage and mutation results of a policy's tests.
 *
 * @param units the number of rules and lines
 * @param uncovered those that allow no case
 * @param mutants the number of changes that were tried: each rule or line removed, or made wider in one side
 * @param survivors those that no case detects
 */
record TestStrength(int units, List<String> uncovered, int mutants, List<String> survivors) {
    /** Strength without any policy. */
    static final TestStrength NONE = new TestStrength(0, List.of(), 0, List.of());

    TestStrength {
        uncovered = List.copyOf(uncovered);
        survivors = List.copyOf(survivors);
    }

    /**
     * Returns the strength of cases. A removed rule is detected by a case that only it allows; a widened one by a denied case that it would allow.
     */
    static TestStrength of(List<PolicyUnit> units, List<CaseResult> results) {
        List<Set<Integer>> granting = new ArrayList<>();
        for (CaseResult result : results) {
            granting.add(granting(units, result));
        }
        List<String> uncovered = new ArrayList<>();
        List<String> survivors = new ArrayList<>();
        int mutants = 0;
        for (int i = 0; i < units.size(); i++) {
            PolicyUnit unit = units.get(i);
            int position = i;
            if (granting.stream().noneMatch(set -> set.contains(position))) {
                uncovered.add(unit.name());
            }
            mutants++;
            if (granting.stream().noneMatch(set -> set.equals(Set.of(position)))) {
                survivors.add("removed: " + unit.name());
            }
            for (PolicyUnit.Variant wider : unit.widened()) {
                mutants++;
                boolean detected = results.stream()
                        .anyMatch(result -> !result.allowed()
                                && wider.policy().grants(result.testCase().request()));
                if (!detected) {
                    survivors.add("with " + wider.how() + ": " + unit.name());
                }
            }
        }
        return new TestStrength(units.size(), uncovered, mutants, survivors);
    }

    private static Set<Integer> granting(List<PolicyUnit> units, CaseResult result) {
        Set<Integer> granting = new HashSet<>();
        for (int i = 0; i < units.size() && result.allowed(); i++) {
            if (units.get(i).alone().grants(result.testCase().request())) {
                granting.add(i);
            }
        }
        return granting;
    }

    TestStrength and(TestStrength other) {
        List<String> bothUncovered = new ArrayList<>(uncovered);
        bothUncovered.addAll(other.uncovered);
        List<String> bothSurvivors = new ArrayList<>(survivors);
        bothSurvivors.addAll(other.survivors);
        return new TestStrength(units + other.units, bothUncovered, mutants + other.mutants, bothSurvivors);
    }

    int coverage() {
        return percent(units - uncovered.size(), units);
    }

    int detected() {
        return percent(mutants - survivors.size(), mutants);
    }

    private static int percent(int part, int all) {
        return all == 0 ? 100 : (int) (100L * part / all);
    }
}
