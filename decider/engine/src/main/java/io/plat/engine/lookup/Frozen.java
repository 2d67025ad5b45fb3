package io.plat.engine.lookup;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Compact immutable maps and sets. */
public final class Frozen {
    /** Maximum size of the compact form: it probes linearly, so its size bounds the cost of colliding hash codes. */
    private static final int COMPACT = 32;

    private Frozen() {}

    /**
     * Returns an immutable copy. Small maps take a third of the memory of a {@link HashMap}; large ones are a HashMap, which stays fast when hash
     * codes collide if the keys are {@link Comparable}.
     */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map) {
        return map.size() <= COMPACT ? Map.copyOf(map) : Collections.unmodifiableMap(new HashMap<>(map));
    }

    /** Returns an immutable copy of a set. */
    public static <T> Set<T> copyOf(Collection<T> values) {
        return values.size() <= COMPACT ? Set.copyOf(values) : Collections.unmodifiableSet(new HashSet<>(values));
    }
}
