package io.plat.engine.access;

import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collector of missing rules, reported as in Kubernetes: a resource with all its verbs, a path with one. */
final class MissingRules {
    /** Maximum number of reported pairs of a resource or path and a verb. */
    static final int MAX = 1000;

    /** Missing verbs, with their positions, by the rule without verbs; verbs are reported in the order of the rule. */
    private final Map<RbacRule, Map<String, Integer>> resources = new HashMap<>();

    private final Set<RbacRule> paths = new LinkedHashSet<>();
    private final Map<String, Integer> positions = new HashMap<>();
    private int firstPosition;
    private int reported;
    private boolean more;

    /** Sets the rule that the following missing values belong to. */
    void of(RbacRule rule) {
        firstPosition += positions.size();
        positions.clear();
        for (String verb : rule.verbs()) {
            positions.putIfAbsent(verb, firstPosition + positions.size());
        }
    }

    /**
     * Adds a product of values that is missing as a whole.
     *
     * @param names empty if not limited to names
     */
    void add(List<String> groups, List<String> ofResources, List<String> names, List<String> verbs) {
        for (String group : groups) {
            for (String resource : ofResources) {
                for (int i = 0; i < Math.max(1, names.size()); i++) {
                    add(
                            new RbacRule(
                                    List.of(),
                                    List.of(group),
                                    List.of(resource),
                                    names.isEmpty() ? List.of() : List.of(names.get(i)),
                                    List.of(),
                                    null),
                            verbs);
                    if (more) {
                        return;
                    }
                }
            }
        }
    }

    private void add(RbacRule resource, List<String> verbs) {
        for (String verb : verbs) {
            if (reported == MAX) {
                more = true;
                return;
            }
            int position = positions.getOrDefault(verb, firstPosition);
            if (resources.computeIfAbsent(resource, r -> new HashMap<>()).putIfAbsent(verb, position) == null) {
                reported++;
            }
        }
    }

    /** Adds missing verbs on a path. */
    void add(String url, List<String> verbs) {
        for (String verb : verbs) {
            if (reported == MAX) {
                more = true;
                return;
            }
            if (paths.add(RbacRule.onPaths(List.of(verb), List.of(url)))) {
                reported++;
            }
        }
    }

    /** Returns the collected rules. */
    CoverageResult result() {
        List<RbacRule> rules = new ArrayList<>(paths);
        resources.forEach((resource, verbs) -> rules.add(rule(resource, verbs)));
        rules.sort(Comparator.comparing(FieldNotation::of));
        return rules.isEmpty() ? new CoverageResult.Nothing() : new CoverageResult.Missing(rules, more);
    }

    private static RbacRule rule(RbacRule resource, Map<String, Integer> verbs) {
        List<String> inOrder = verbs.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .toList();
        return new RbacRule(
                inOrder, resource.apiGroups(), resource.resources(), resource.resourceNames(), List.of(), null);
    }
}
