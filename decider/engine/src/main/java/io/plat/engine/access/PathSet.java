package io.plat.engine.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths as finitely many patterns that include or exclude. A path belongs to it according to the mark that equals the path, else the
 * mark with the longest prefix. Only marks that differ from their surroundings are stored, so that equal sets have equal marks. Immutable.
 */
final class PathSet {
    static final PathSet NONE = new PathSet(new TreeMap<>(), new TreeMap<>());

    private final NavigableMap<String, Boolean> prefixes;
    private final NavigableMap<String, Boolean> paths;

    private PathSet(NavigableMap<String, Boolean> prefixes, NavigableMap<String, Boolean> paths) {
        this.prefixes = prefixes;
        this.paths = paths;
    }

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
        return combined(other, (mine, its) -> mine || its);
    }

    PathSet minus(PathSet other) {
        return combined(other, (mine, its) -> mine && !its);
    }

    /** Combination of the membership in two sets; must be false for a path in neither. */
    @FunctionalInterface
    private interface Rule {
        boolean of(boolean mine, boolean its);
    }

    /** Surroundings of a place: the prefix, and whether it belongs to each of two sets and to the result. */
    private record Around(String prefix, boolean mine, boolean its, boolean outcome) {}

    /** Traverses the marks of both in order: everything that begins with a prefix directly follows it. */
    private PathSet combined(PathSet other, Rule rule) {
        TreeSet<String> places = new TreeSet<>(prefixes.keySet());
        places.addAll(other.prefixes.keySet());
        places.addAll(paths.keySet());
        places.addAll(other.paths.keySet());
        NavigableMap<String, Boolean> ofPrefixes = new TreeMap<>();
        NavigableMap<String, Boolean> ofPaths = new TreeMap<>();
        Deque<Around> open = new ArrayDeque<>(List.of(new Around("", false, false, false)));
        for (String place : places) {
            while (!place.startsWith(open.element().prefix())) {
                open.pop();
            }
            Around around = open.element();
            if (prefixes.containsKey(place) || other.prefixes.containsKey(place)) {
                boolean mine = prefixes.getOrDefault(place, around.mine());
                boolean its = other.prefixes.getOrDefault(place, around.its());
                Around here = new Around(place, mine, its, rule.of(mine, its));
                if (here.outcome() != around.outcome()) {
                    ofPrefixes.put(place, here.outcome());
                }
                open.push(here);
                around = here;
            }
            if (paths.containsKey(place) || other.paths.containsKey(place)) {
                boolean outcome = rule.of(
                        paths.getOrDefault(place, around.mine()), other.paths.getOrDefault(place, around.its()));
                if (outcome != around.outcome()) {
                    ofPaths.put(place, outcome);
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

    /** The whole set as patterns: those without exceptions together, and each that has some by itself. */
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

    /** The longest marked prefix that is shorter, or null. */
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
    public boolean equals(Object other) {
        return other instanceof PathSet set && prefixes.equals(set.prefixes) && paths.equals(set.paths);
    }

    @Override
    public int hashCode() {
        return Objects.hash(prefixes, paths);
    }

    @Override
    public String toString() {
        return prefixes + " " + paths;
    }
}
