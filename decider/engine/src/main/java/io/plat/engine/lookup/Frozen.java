package io.plat.engine.lookup;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Maps and sets that are filled once and then only read. */
public final class Frozen {
    /** Maximum size of the compact form: it probes linearly, so its size bounds the cost of colliding hash codes. */
    static final int COMPACT = 32;

    private Frozen() {}

    /**
     * A copy that never changes. Small maps take a third of the memory of a {@link HashMap}; large ones are a HashMap, which stays
     * fast when hash codes collide, as long as the keys are {@link Comparable}.
     */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map) {
        return map.size() <= COMPACT ? Map.copyOf(map) : Collections.unmodifiableMap(new HashMap<>(map));
    }

    /** The same for a set. */
    public static <T> Set<T> copyOf(Collection<T> values) {
        return values.size() <= COMPACT ? Set.copyOf(values) : Collections.unmodifiableSet(new HashSet<>(values));
    }
}
