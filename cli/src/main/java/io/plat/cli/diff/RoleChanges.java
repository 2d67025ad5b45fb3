package io.plat.cli.diff;

import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Added and removed rules of roles, bound or not. For an aggregating role, its selectors are compared.
 *
 * @param changed by role, sorted by name
 */
record RoleChanges(SortedMap<ObjectKey, Rules> changed) {
    /** Rules of one role that only one side has, as JSON. */
    record Rules(List<String> added, List<String> removed) {}

    RoleChanges {
        changed = Collections.unmodifiableSortedMap(new TreeMap<>(changed));
    }

    static RoleChanges between(PolicyDocuments old, PolicyDocuments now) {
        Map<ObjectKey, List<String>> before = rules(old);
        Map<ObjectKey, List<String>> after = rules(now);
        SortedMap<ObjectKey, Rules> changed = new TreeMap<>();
        Stream.concat(before.keySet().stream(), after.keySet().stream())
                .distinct()
                .forEach(role -> {
                    List<String> had = before.getOrDefault(role, List.of());
                    List<String> has = after.getOrDefault(role, List.of());
                    var rules = new Rules(without(has, had), without(had, has));
                    if (!rules.added().isEmpty() || !rules.removed().isEmpty()) {
                        changed.put(role, rules);
                    }
                });
        return new RoleChanges(changed);
    }

    private static Map<ObjectKey, List<String>> rules(PolicyDocuments policy) {
        Map<ObjectKey, List<String>> rules = new TreeMap<>();
        if (policy.roles() != null) {
            for (RbacRole role : policy.roles().roles()) {
                rules.put(
                        role.key(),
                        role.aggregation() == null
                                ? role.rules().stream().map(RbacRule::toString).toList()
                                : role.aggregation().stream()
                                        .map(RoleChanges::text)
                                        .toList());
            }
        }
        return rules;
    }

    private static String text(ClusterRoleSelector selector) {
        return new String(
                        JsonAnswer.of(JsonAnswer.object(
                                "aggregates",
                                JsonAnswer.object(
                                        "matchLabels", selector.matchLabels(),
                                        "matchExpressions",
                                                selector.matchExpressions().stream()
                                                        .map(Objects::toString)
                                                        .toList()))),
                        StandardCharsets.UTF_8)
                .strip();
    }

    private static List<String> without(List<String> rules, List<String> others) {
        Map<String, Integer> known = new HashMap<>();
        others.forEach(rule -> known.merge(rule, 1, Integer::sum));
        return rules.stream()
                .filter(rule -> known.merge(rule, -1, Integer::sum) < 0)
                .toList();
    }

    boolean widens() {
        return changed.values().stream().anyMatch(rules -> !rules.added().isEmpty());
    }

    void print(Report report) {
        if (changed.isEmpty()) {
            report.print("no rule of a role is added or removed");
            return;
        }
        StringBuilder text = new StringBuilder("roles:");
        changed.forEach((role, rules) -> {
            text.append("\n  ").append(Quoted.oneLine(role.toString()));
            rules.added().forEach(rule -> line(text, report.paint(Colour.GREEN, "+ " + Quoted.oneLine(rule))));
            rules.removed().forEach(rule -> line(text, report.paint(Colour.RED, "- " + Quoted.oneLine(rule))));
        });
        report.print(text.toString());
    }

    private static void line(StringBuilder text, String line) {
        text.append("\n    ").append(line);
    }

    List<Map<String, Object>> document() {
        return changed.entrySet().stream()
                .map(entry -> JsonAnswer.object(
                        "kind", entry.getKey().kind().kind(),
                        "namespace", entry.getKey().namespace(),
                        "name", entry.getKey().name(),
                        "added", bodies(entry.getValue().added()),
                        "removed", bodies(entry.getValue().removed())))
                .toList();
    }

    private static List<JsonAnswer.Body> bodies(List<String> rules) {
        return rules.stream()
                .map(rule -> (JsonAnswer.Body) json -> json.writeRawValue(rule))
                .toList();
    }
}
