package io.plat.engine.access;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.ListOrder;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Interned boxes of rules and lines in all namespaces, so that comparing two policies rarely compares values. */
final class RuleBoxes {
    private static final Values READS = Values.of(List.of("get", "list", "watch"));

    private final Subresources known;
    private final Map<Box, Box> interned = new HashMap<>();
    private final Map<List<String>, Values> lists = new TreeMap<>(ListOrder.STRINGS);

    /** Creates boxes for lines that cover these subresources. */
    RuleBoxes(Subresources known) {
        this.known = known;
    }

    /** Returns the boxes of a resource rule; empty if it covers nothing. An empty name covers nothing. */
    List<Box> of(RbacRule rule) {
        List<String> names =
                rule.resourceNames().stream().filter(name -> !name.isEmpty()).toList();
        return names.isEmpty() && !rule.resourceNames().isEmpty() ? List.of() : boxes(rule, names);
    }

    /** Returns the boxes of a resource rule whose names are compared as they are written, including an empty one. */
    List<Box> asWritten(RbacRule rule) {
        return boxes(rule, rule.resourceNames());
    }

    /** Returns the boxes of a resource rule with some of its names; an empty list is no restriction. */
    private List<Box> boxes(RbacRule rule, List<String> names) {
        if (rule.resources().isEmpty()
                || rule.apiGroups().isEmpty()
                || rule.verbs().isEmpty()) {
            return List.of();
        }
        Values ofNames = names.isEmpty() ? Values.ALL : list(names);
        Values groups =
                orAll(rule.apiGroups().stream().map(ApiGroups::canonical).toList());
        Values verbs = verbs(rule);
        List<Box> boxes = new ArrayList<>();
        subresourcesByResource(rule.resources())
                .forEach((resources, subresources) ->
                        boxes.add(interned(Box.everywhere(groups, resources, subresources, verbs, ofNames))));
        return boxes;
    }

    Values verbs(RbacRule rule) {
        return orAll(rule.verbs());
    }

    private Values orAll(List<String> values) {
        return values.contains(RbacRule.ALL) ? Values.ALL : list(values);
    }

    private Values list(List<String> values) {
        return lists.computeIfAbsent(values, Values::of);
    }

    /** Groups resources with the same subresources, as both are sides of a box. */
    private static Map<Values, Values> subresourcesByResource(List<String> written) {
        if (written.contains(RbacRule.ALL)) {
            return Map.of(Values.ALL, Values.ALL);
        }
        TreeMap<String, TreeSet<String>> named = new TreeMap<>();
        for (String resource : written) {
            named.computeIfAbsent(ResourceAttributes.resourceOf(resource), one -> new TreeSet<>())
                    .add(ResourceAttributes.subresourceOf(resource));
        }
        Map<Values, Values> sides = new LinkedHashMap<>();
        TreeSet<String> ofAll = named.remove(RbacRule.ALL);
        if (ofAll != null) {
            sides.put(Values.ALL, Values.of(ofAll));
        }
        Map<Values, List<String>> together = new LinkedHashMap<>();
        named.forEach(
                (resource, subresources) -> together.computeIfAbsent(Values.of(subresources), some -> new ArrayList<>())
                        .add(resource));
        together.forEach((subresources, resources) -> sides.put(Values.of(resources), subresources));
        return sides;
    }

    /** Returns the box of a resource line, which is limited neither to subresources nor to names. */
    Box of(AbacLine line) {
        boolean all = line.resource().equals(AbacLine.ANY);
        return interned(Box.everywhere(
                exactOrAll(line.apiGroup(), ApiGroups::canonical),
                all ? Values.ALL : Values.of(line.resource()),
                all ? Values.ALL : known.of(line.resource()),
                verbs(line),
                Values.ALL));
    }

    static Values verbs(AbacLine line) {
        return line.readonly() ? READS : Values.ALL;
    }

    static Values exactOrAll(String written, Function<String, String> meant) {
        return written.equals(AbacLine.ANY) ? Values.ALL : Values.of(meant.apply(written));
    }

    private Box interned(Box box) {
        return interned.computeIfAbsent(box, one -> one);
    }
}
