package io.plat.engine.lookup;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Values by path pattern. A pattern that ends in {@code *} matches every path that begins with the text before the star; any other is one path,
 * and a star elsewhere is an ordinary character.
 *
 * @param <V> values, never null
 */
public final class PathTable<V> {
    private final Map<String, V> exact;
    private final NavigableMap<String, V> prefixes;

    private PathTable(Map<String, V> exact, NavigableMap<String, V> prefixes) {
        this.exact = exact;
        this.prefixes = prefixes;
    }

    public static <V> PathTable<V> of(Map<String, V> patterns) {
        Map<String, V> exact = new HashMap<>();
        NavigableMap<String, V> prefixes = new TreeMap<>();
        patterns.forEach((pattern, value) -> {
            if (pattern.endsWith("*")) {
                prefixes.put(pattern.substring(0, pattern.length() - 1), value);
            } else {
                exact.put(pattern, value);
            }
        });
        return new PathTable<>(Frozen.copyOf(exact), prefixes);
    }

    /**
     * Returns the values of the patterns that cover a path: the path itself, then prefixes, the longest first.
     *
     * <p>Prefixes of the path precede it in the order of the table. If the greatest entry before it is not one of them, they are all prefixes of what
     * that entry and the path have in common.
     */
    public List<V> covering(String path) {
        List<V> values = new ArrayList<>(2);
        V same = exact.get(path);
        if (same != null) {
            values.add(same);
        }
        Map.Entry<String, V> entry = prefixes.floorEntry(path);
        while (entry != null) {
            String candidate = entry.getKey();
            if (path.startsWith(candidate)) {
                values.add(entry.getValue());
                entry = prefixes.lowerEntry(candidate);
            } else {
                entry = prefixes.floorEntry(path.substring(0, commonLength(path, candidate)));
            }
        }
        return values;
    }

    private static int commonLength(String one, String other) {
        int length = 0;
        while (length < one.length() && length < other.length() && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        return length;
    }
}
