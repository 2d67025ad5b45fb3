package io.plat.engine.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths as a finite number of marks that include or exclude. The mark that equals a path, or else the one with the longest prefix of it,
 * determines whether the path is in the set. Redundant marks are not stored, so equal sets have equal marks. Immutable.
 */
record PathSet(NavigableMap<String, Boolean> prefixes, NavigableMap<String, Boolean> paths) {
    static final PathSet NONE = new PathSet(new TreeMap<>(), new TreeMap<>());

    /** Returns the paths that patterns cover: a trailing star makes one a prefix, and any other star is an ordinary character. */
    static PathSet of(Collection<String> patterns) {
        PathSet marks = new PathSet(new TreeMap<>(), new TreeMap<>());
        for (String pattern : patterns) {
            if (pattern.endsWith("*")) {
                marks.prefixes.put(pattern.substring(0, pattern.length() - 1), true);
            } else {
                marks.paths.put(pattern, true);
            }
        }
        // Drops redundant marks.
        return marks.or(NONE);
    }

    boolean isEmpty() {
        return prefixes.isEmpty() && paths.isEmpty();
    }

    boolean contains(String path) {
        Boolean exact = paths.get(path);
        if (exact != null) {
            return exact;
        }
        for (int end = path.length(); end >= 0; end--) {
            Boolean prefix = prefixes.get(path.substring(0, end));
            if (prefix != null) {
                return prefix;
            }
        }
        return false;
    }

    PathSet or(PathSet other) {
        return combined(other, (inThis, inOther) -> inThis || inOther);
    }

    PathSet minus(PathSet other) {
        return combined(other, (inThis, inOther) -> inThis && !inOther);
    }

    /** Combination of the membership in two sets; must be false for a path in neither. */
    @FunctionalInterface
    private interface Rule {
        boolean of(boolean inThis, boolean inOther);
    }

    /** An enclosing prefix, and whether it belongs to each of two sets and to the result. */
    private record Enclosing(String prefix, boolean inThis, boolean inOther, boolean outcome) {}

    /** Combines both sets, traversing their marks in order: everything with a prefix directly follows that prefix. */
    private PathSet combined(PathSet other, Rule rule) {
        TreeSet<String> marks = new TreeSet<>(prefixes.keySet());
        marks.addAll(other.prefixes.keySet());
        marks.addAll(paths.keySet());
        marks.addAll(other.paths.keySet());
        NavigableMap<String, Boolean> ofPrefixes = new TreeMap<>();
        NavigableMap<String, Boolean> ofPaths = new TreeMap<>();
        Deque<Enclosing> open = new ArrayDeque<>(List.of(new Enclosing("", false, false, false)));
        for (String mark : marks) {
            while (!mark.startsWith(open.element().prefix())) {
                open.pop();
            }
            Enclosing around = open.element();
            if (prefixes.containsKey(mark) || other.prefixes.containsKey(mark)) {
                boolean inThis = prefixes.getOrDefault(mark, around.inThis());
                boolean inOther = other.prefixes.getOrDefault(mark, around.inOther());
                Enclosing here = new Enclosing(mark, inThis, inOther, rule.of(inThis, inOther));
                if (here.outcome() != around.outcome()) {
                    ofPrefixes.put(mark, here.outcome());
                }
                open.push(here);
                around = here;
            }
            if (paths.containsKey(mark) || other.paths.containsKey(mark)) {
                boolean outcome = rule.of(
                        paths.getOrDefault(mark, around.inThis()), other.paths.getOrDefault(mark, around.inOther()));
                if (outcome != around.outcome()) {
                    ofPaths.put(mark, outcome);
                }
            }
        }
        return new PathSet(ofPrefixes, ofPaths);
    }

    /**
     * A part of the set as patterns.
     *
     * @param patterns included patterns
     * @param except exceptions from them
     */
    record Part(List<String> patterns, List<String> except) {
        Part {
            patterns = List.copyOf(patterns);
            except = List.copyOf(except);
        }
    }

    /** Returns the set as patterns: those without exceptions together, and those with exceptions separately. */
    List<Part> parts() {
        List<String> whole = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        prefixes.forEach((prefix, in) -> {
            List<String> except = in ? exceptions(prefix) : List.of();
            if (in && except.isEmpty()) {
                whole.add(prefix + "*");
            } else if (in) {
                parts.add(new Part(List.of(prefix + "*"), except));
            }
        });
        paths.forEach((path, in) -> {
            if (in) {
                whole.add(path);
            }
        });
        if (!whole.isEmpty()) {
            parts.addFirst(new Part(whole, List.of()));
        }
        return parts;
    }

    /** Returns the exceptions of a prefix: the marks directly below it. */
    private List<String> exceptions(String prefix) {
        List<String> except = new ArrayList<>();
        prefixes.forEach((mark, in) -> {
            if (!in && prefix.equals(around(mark))) {
                except.add(mark + "*");
            }
        });
        paths.forEach((mark, in) -> {
            if (!in && prefix.equals(prefixes.containsKey(mark) ? mark : around(mark))) {
                except.add(mark);
            }
        });
        return except;
    }

    /** Returns the longest shorter marked prefix, or null. */
    private @Nullable String around(String mark) {
        for (int end = mark.length() - 1; end >= 0; end--) {
            String shorter = mark.substring(0, end);
            if (prefixes.containsKey(shorter)) {
                return shorter;
            }
        }
        return null;
    }

    @Override
    public String toString() {
        return prefixes + " " + paths;
    }
}
