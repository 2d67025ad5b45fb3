package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what is not held, and tells it as the field does: a resource with all its verbs, a path with one. */
final class MissingRules {
    /** The most that is told: pairs of a resource or path and a verb. */
    static final int MOST = 1000;

    private record Resource(
            String group, String resource, @Nullable String name) {}

    /** Resources with their missing verbs, each verb with its place, so that they are told in the order they were written. */
    private final Map<Resource, Map<String, Integer>> resources = new HashMap<>();

    private final Set<RbacRule> paths = new LinkedHashSet<>();
    private final Map<String, Integer> places = new HashMap<>();
    private int firstPlace;
    private int told;
    private boolean more;

    /** What follows is missing of this rule. */
    void of(RbacRule rule) {
        firstPlace += places.size();
        places.clear();
        for (String verb : rule.verbs()) {
            places.putIfAbsent(verb, firstPlace + places.size());
        }
    }

    /**
     * Nothing of a product of values is held.
     *
     * @param names empty where no name limits it
     */
    void add(List<String> groups, List<String> ofResources, List<String> names, List<String> verbs) {
        for (String group : groups) {
            for (String resource : ofResources) {
                for (int i = 0; i < Math.max(1, names.size()); i++) {
                    add(new Resource(group, resource, names.isEmpty() ? null : names.get(i)), verbs);
                    if (more) {
                        return;
                    }
                }
            }
        }
    }

    private void add(Resource resource, List<String> verbs) {
        for (String verb : verbs) {
            if (told == MOST) {
                more = true;
                return;
            }
            int place = places.getOrDefault(verb, firstPlace);
            if (resources.computeIfAbsent(resource, r -> new HashMap<>()).putIfAbsent(verb, place) == null) {
                told++;
            }
        }
    }

    /** Nothing of a product of paths and verbs is held. */
    void add(List<String> urls, List<String> verbs) {
        for (String url : urls) {
            for (String verb : verbs) {
                if (told == MOST) {
                    more = true;
                    return;
                }
                if (paths.add(RbacRule.onPaths(List.of(verb), List.of(url)))) {
                    told++;
                }
            }
        }
    }

    /** What was collected. */
    Shortfall shortfall() {
        List<RbacRule> rules = new ArrayList<>(paths);
        resources.forEach((resource, verbs) -> rules.add(rule(resource, verbs)));
        rules.sort(Comparator.comparing(FieldNotation::of));
        return rules.isEmpty() ? new Shortfall.Nothing() : new Shortfall.Missing(rules, more);
    }

    private static RbacRule rule(Resource resource, Map<String, Integer> verbs) {
        List<String> inOrder = verbs.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .toList();
        return new RbacRule(
                inOrder,
                List.of(resource.group),
                List.of(resource.resource),
                resource.name == null ? List.of() : List.of(resource.name),
                List.of(),
                null);
    }
}
