package io.plat.engine.access;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.ListOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Interner shapes of rules and lines, so that comparing two policies rarely compares values. */
final class RuleShapes {
    private static final Values READS = Values.of(List.of("get", "list", "watch"));

    private final Subresources known;
    private final Map<Shape, Shape> interned = new HashMap<>();
    private final Map<List<String>, Values> lists = new TreeMap<>(ListOrder.STRINGS);

    /** Creates shapes for lines that cover these subresources. */
    RuleShapes(Subresources known) {
        this.known = known;
    }

    /** Returns the shapes of a resource rule; empty if it covers nothing. */
    List<Shape> of(RbacRule rule) {
        if (rule.resources().isEmpty()
                || rule.apiGroups().isEmpty()
                || rule.verbs().isEmpty()) {
            return List.of();
        }
        Values names = names(rule.resourceNames());
        if (names.isEmpty()) {
            return List.of();
        }
        Values groups = groups(rule.apiGroups());
        Values verbs = verbs(rule);
        List<Shape> shapes = new ArrayList<>();
        subresourcesByResource(rule.resources())
                .forEach((resources, subresources) ->
                        shapes.add(interned(new Shape(groups, resources, subresources, verbs, names))));
        return shapes;
    }

    Values verbs(RbacRule rule) {
        return orAll(rule.verbs());
    }

    /** Returns the names that a rule covers. An empty name covers nothing; an empty list is no restriction. */
    private Values names(List<String> names) {
        return names.isEmpty()
                ? Values.ALL
                : list(names.stream().filter(name -> !name.isEmpty()).toList());
    }

    private Values groups(Collection<String> groups) {
        return orAll(groups.stream().map(ApiGroups::canonical).toList());
    }

    private Values orAll(List<String> values) {
        return values.contains(RbacRule.ALL) ? Values.ALL : list(values);
    }

    private Values list(List<String> values) {
        return lists.computeIfAbsent(values, Values::of);
    }

    /** Groups resources with the same subresources, as both are sides of a shape. */
    private static Map<Values, Values> subresourcesByResource(List<String> written) {
        if (written.contains(RbacRule.ALL)) {
            return Map.of(Values.ALL, Values.ALL);
        }
        TreeMap<String, TreeSet<String>> named = new TreeMap<>();
        for (String resource : written) {
            int slash = resource.indexOf('/');
            named.computeIfAbsent(slash < 0 ? resource : resource.substring(0, slash), one -> new TreeSet<>())
                    .add(slash < 0 ? "" : resource.substring(slash + 1));
        }
        Map<Values, Values> sides = new LinkedHashMap<>();
        TreeSet<String> ofAll = named.remove(RbacRule.ALL);
        if (ofAll != null) {
            sides.put(Values.ALL, Values.of(ofAll));
        }
        Map<TreeSet<String>, List<String>> together = new LinkedHashMap<>();
        named.forEach((resource, subresources) -> together.computeIfAbsent(subresources, some -> new ArrayList<>())
                .add(resource));
        together.forEach((subresources, resources) -> sides.put(Values.of(resources), Values.of(subresources)));
        return sides;
    }

    /** Returns the shape of a resource line, which is limited neither to subresources nor to names. */
    Shape of(AbacLine line) {
        boolean all = line.resource().equals(AbacLine.ANY);
        return interned(new Shape(
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

    private Shape interned(Shape shape) {
        return interned.computeIfAbsent(shape, one -> one);
    }
}
