package io.plat.engine.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/** Verbs on paths: a default set of paths, and the sets of verbs that differ. Equal accesses are equal objects. Immutable. */
record PathAccess(Map<String, PathSet> byVerb, PathSet otherVerbs) {
    static final PathAccess NONE = new PathAccess(Map.of(), PathSet.NONE);

    PathAccess {
        byVerb = new TreeMap<>(byVerb);
        byVerb.values().removeIf(otherVerbs::equals);
    }

    /** Returns the verbs on all paths that the patterns cover. */
    static PathAccess of(Values verbs, Collection<String> patterns) {
        PathSet paths = PathSet.of(patterns);
        Map<String, PathSet> byVerb = new TreeMap<>();
        for (String verb : verbs.unsorted()) {
            byVerb.put(verb, verbs.isWide() ? PathSet.NONE : paths);
        }
        return new PathAccess(byVerb, verbs.isWide() ? paths : PathSet.NONE);
    }

    boolean isEmpty() {
        return byVerb.isEmpty() && otherVerbs.isEmpty();
    }

    boolean contains(String verb, String path) {
        return byVerb.getOrDefault(verb, otherVerbs).contains(path);
    }

    PathAccess or(PathAccess other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        return combined(other, PathSet::or);
    }

    PathAccess minus(PathAccess other) {
        return combined(other, PathSet::minus);
    }

    private PathAccess combined(PathAccess other, BinaryOperator<PathSet> operation) {
        TreeSet<String> verbs = new TreeSet<>(byVerb.keySet());
        verbs.addAll(other.byVerb.keySet());
        Map<String, PathSet> combined = new TreeMap<>();
        for (String verb : verbs) {
            combined.put(
                    verb,
                    operation.apply(
                            byVerb.getOrDefault(verb, otherVerbs), other.byVerb.getOrDefault(verb, other.otherVerbs)));
        }
        return new PathAccess(combined, operation.apply(otherVerbs, other.otherVerbs));
    }

    /** Returns the rows of the access; verbs with the same paths share one. */
    List<AccessRow> rows() {
        Map<PathSet, List<String>> verbsOf = new LinkedHashMap<>();
        byVerb.forEach((verb, paths) ->
                verbsOf.computeIfAbsent(paths, some -> new ArrayList<>()).add(verb));
        List<AccessRow> rows = new ArrayList<>();
        verbsOf.forEach((paths, verbs) -> addRows(Values.of(verbs), paths, rows));
        addRows(Values.allExcept(byVerb.keySet()), otherVerbs, rows);
        return rows;
    }

    private static void addRows(Values verbs, PathSet paths, List<AccessRow> rows) {
        for (PathSet.Part part : paths.parts()) {
            rows.add(AccessRow.onPaths(verbs, part));
        }
    }

    @Override
    public String toString() {
        return rows().toString();
    }
}
