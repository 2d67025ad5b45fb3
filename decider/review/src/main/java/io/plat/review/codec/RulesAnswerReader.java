package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonToken;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.Unexplained;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the status of a rules review, as another server wrote it; unknown members are skipped. */
final class RulesAnswerReader {
    private static final Set<String> LISTS =
            Set.of("verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs");

    private final Members members;
    private final List<ResourceRule> resources = new ArrayList<>();
    private final List<PathRule> paths = new ArrayList<>();
    private boolean incomplete;
    private String error = "";

    RulesAnswerReader(Members members) {
        this.members = members;
    }

    /** Reads it, its object having begun. */
    RuleListing listing() throws IOException, StatusException {
        Set<String> seen = new HashSet<>();
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            if (!seen.add(name)) {
                throw Members.malformed("status." + name + ": given twice");
            }
            switch (name) {
                case "resourceRules" -> rules("status.resourceRules", this::resource);
                case "nonResourceRules" -> rules("status.nonResourceRules", this::path);
                case "incomplete" -> incomplete = members.bool("status.incomplete");
                case "evaluationError" -> error = members.string("status.evaluationError");
                default -> members.skip();
            }
        }
        List<Unexplained> unexplained = incomplete
                ? List.of(new Unexplained("the server", error.isEmpty() ? "it does not say why" : error))
                : List.of();
        return new RuleListing(new Bounded<>(resources, 0), new Bounded<>(paths, 0), unexplained);
    }

    /** Takes the lists of one rule. */
    @FunctionalInterface
    private interface Rule {
        void take(Map<String, List<String>> lists);
    }

    private void resource(Map<String, List<String>> lists) {
        resources.add(new ResourceRule(
                list(lists, "verbs"),
                list(lists, "apiGroups"),
                list(lists, "resources"),
                list(lists, "resourceNames")));
    }

    private void path(Map<String, List<String>> lists) {
        paths.add(new PathRule(list(lists, "verbs"), list(lists, "nonResourceURLs")));
    }

    private static List<String> list(Map<String, List<String>> lists, String name) {
        return lists.getOrDefault(name, List.of());
    }

    private void rules(String path, Rule rule) throws IOException, StatusException {
        if (!members.array(path)) {
            return;
        }
        while (members.json.nextToken() != JsonToken.END_ARRAY) {
            if (!members.object(path + "[]")) {
                throw members.wrongType(path + "[]", "an object");
            }
            rule.take(lists(path + "[]"));
        }
    }

    private Map<String, List<String>> lists(String path) throws IOException, StatusException {
        Map<String, List<String>> lists = new HashMap<>();
        for (String name = members.json.nextFieldName(); name != null; name = members.json.nextFieldName()) {
            members.value();
            if (!LISTS.contains(name)) {
                members.skip();
            } else if (lists.put(name, members.strings(path + "." + name)) != null) {
                throw Members.malformed(path + "." + name + ": given twice");
            }
        }
        return lists;
    }
}
