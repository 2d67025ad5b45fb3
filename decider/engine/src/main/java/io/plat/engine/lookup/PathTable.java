package io.plat.engine.lookup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values by path pattern. A pattern that ends in {@code *} matches every path that begins with the text before the star; any other is one path,
 * and a star elsewhere is an ordinary character.
 *
 * <p>Prefixes are sorted, and each refers to its longest shorter prefix. Every entry between a prefix of a path and the path itself starts with that
 * prefix too, so that all prefixes of a path are found by following the references from the greatest entry that is not greater than the path.
 *
 * @param <V> values, never null
 */
public final class PathTable<V> {
    private static final int NONE = -1;

    private final Map<String, V> exact;
    private final String[] prefixes;
    private final List<V> values;
    private final int[] shorter;

    private PathTable(Map<String, V> exact, String[] prefixes, List<V> values, int[] shorter) {
        this.exact = exact;
        this.prefixes = prefixes;
        this.values = values;
        this.shorter = shorter;
    }

    /** Returns a table without patterns. */
    public static <V> PathTable<V> empty() {
        return of(Map.of());
    }

    /** Returns a table of patterns. */
    public static <V> PathTable<V> of(Map<String, V> patterns) {
        Map<String, V> exact = new HashMap<>();
        TreeMap<String, V> byPrefix = new TreeMap<>();
        patterns.forEach((pattern, value) -> {
            if (pattern.endsWith("*")) {
                byPrefix.put(pattern.substring(0, pattern.length() - 1), value);
            } else {
                exact.put(pattern, value);
            }
        });
        String[] prefixes = byPrefix.keySet().toArray(String[]::new);
        return new PathTable<>(
                Frozen.copyOf(exact), prefixes, List.copyOf(new ArrayList<>(byPrefix.values())), links(prefixes));
    }

    private static int[] links(String[] prefixes) {
        int[] shorter = new int[prefixes.length];
        for (int i = 0; i < prefixes.length; i++) {
            int candidate = i - 1;
            while (candidate != NONE && !prefixes[i].startsWith(prefixes[candidate])) {
                candidate = shorter[candidate];
            }
            shorter[i] = candidate;
        }
        return shorter;
    }

    /** Returns the value of the pattern that equals the path, or null. */
    public @Nullable V exact(String path) {
        return exact.get(path);
    }

    /** Returns a cursor on the longest prefix pattern that covers the path; negative if there is none. */
    public int longest(String path) {
        if (prefixes.length == 0) {
            return NONE;
        }
        int position = Arrays.binarySearch(prefixes, path);
        int at = position >= 0 ? position : -position - 2;
        while (at != NONE && !path.startsWith(prefixes[at])) {
            at = shorter[at];
        }
        return at;
    }

    /** Returns the cursor on the next shorter prefix pattern that covers the same path; negative if there is none. */
    public int shorter(int cursor) {
        return shorter[cursor];
    }

    public V value(int cursor) {
        return values.get(cursor);
    }
}
