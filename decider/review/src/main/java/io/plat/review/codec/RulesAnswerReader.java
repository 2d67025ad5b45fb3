package io.plat.review.codec;

import io.plat.review.explain.Bounded;
import io.plat.review.explain.PathRule;
import io.plat.review.explain.ResourceRule;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.Unexplained;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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
        members.read(
                "status",
                Map.of(
                        "resourceRules", at -> members.list(at, () -> rule(at, this::resource)),
                        "nonResourceRules", at -> members.list(at, () -> rule(at, this::path)),
                        "incomplete", at -> incomplete = members.bool(at),
                        "evaluationError", at -> error = members.string(at)));
        List<Unexplained> unexplained = incomplete
                ? List.of(new Unexplained("the server", error.isEmpty() ? "it does not say why" : error))
                : List.of();
        return new RuleListing(new Bounded<>(resources, 0), new Bounded<>(paths, 0), unexplained);
    }

    private boolean resource(Map<String, List<String>> lists) {
        return resources.add(new ResourceRule(
                list(lists, "verbs"),
                list(lists, "apiGroups"),
                list(lists, "resources"),
                list(lists, "resourceNames")));
    }

    private boolean path(Map<String, List<String>> lists) {
        return paths.add(new PathRule(list(lists, "verbs"), list(lists, "nonResourceURLs")));
    }

    private static List<String> list(Map<String, List<String>> lists, String name) {
        return lists.getOrDefault(name, List.of());
    }

    /** Reads the lists of one rule. */
    private boolean rule(String path, Predicate<Map<String, List<String>>> taken) throws IOException, StatusException {
        Map<String, List<String>> lists = new HashMap<>();
        Map<String, Members.Reader> known = new HashMap<>();
        LISTS.forEach(name -> known.put(name, at -> lists.put(name, members.strings(at))));
        members.required(path + "[]", known);
        return taken.test(lists);
    }
}
