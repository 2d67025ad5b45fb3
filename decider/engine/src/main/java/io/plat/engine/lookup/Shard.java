package io.plat.engine.lookup;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A few entries of a {@link ShardedMap}, as one array of alternating keys and values, at least half of it empty, so that a lookup reads the array and
 * one key. Too many entries for a shard, which requires colliding hash codes, are stored in a {@link HashMap}, which stays fast if its keys are
 * {@link Comparable}.
 */
final class Shard {
    static final Object[] EMPTY = new Object[2];

    private static final int SLOTS_FROM = Integer.SIZE - 8;

    private Shard() {}

    /** Returns a shard of entries. */
    static <K, V> Object[] of(Map<K, V> entries) {
        if (entries.isEmpty()) {
            return EMPTY;
        }
        if (entries.size() > Frozen.COMPACT) {
            return new Object[] {new HashMap<>(entries)};
        }
        int slots = entries.size() == 1 ? 1 : Integer.highestOneBit(entries.size() * 2 - 1) * 2;
        Object[] shard = new Object[slots * 2];
        entries.forEach((key, value) -> {
            int at = first(mixed(key), slots);
            while (shard[at] != null) {
                at = next(at, shard.length);
            }
            shard[at] = key;
            shard[at + 1] = value;
        });
        return shard;
    }

    /** Returns the value of a key, or null. */
    static @Nullable Object get(Object[] shard, Object key, int mixed) {
        if (shard.length == 1) {
            return ((Map<?, ?>) shard[0]).get(key);
        }
        int slots = shard.length >> 1;
        int at = first(mixed, slots);
        for (int tried = 0; tried < slots; tried++) {
            Object candidate = shard[at];
            if (candidate == null) {
                return null;
            }
            if (candidate.equals(key)) {
                return shard[at + 1];
            }
            at = next(at, shard.length);
        }
        return null;
    }

    @SuppressWarnings("unchecked") // Filled by of(), with keys and values of these types.
    static <K, V> void forEach(Object[] shard, BiConsumer<? super K, ? super V> visitor) {
        if (shard.length == 1) {
            ((Map<K, V>) shard[0]).forEach(visitor);
            return;
        }
        for (int at = 0; at < shard.length; at += 2) {
            if (shard[at] != null) {
                visitor.accept((K) shard[at], (V) shard[at + 1]);
            }
        }
    }

    /** Returns the number of entries. */
    static int size(Object[] shard) {
        if (shard.length == 1) {
            return ((Map<?, ?>) shard[0]).size();
        }
        int size = 0;
        for (int at = 0; at < shard.length; at += 2) {
            size += shard[at] == null ? 0 : 1;
        }
        return size;
    }

    /** Returns a copy of the entries as a map. */
    static <K, V> Map<K, V> copy(Object[] shard) {
        Map<K, V> copy = new HashMap<>();
        Shard.<K, V>forEach(shard, copy::put);
        return copy;
    }

    /** Returns a hash code whose high bits depend on all bits of the key's hash code. */
    static int mixed(Object key) {
        return key.hashCode() * 0x9E3779B9;
    }

    /** Returns the first slot, from the highest bits; the bits below select the shard. */
    private static int first(int mixed, int slots) {
        return ((mixed >>> SLOTS_FROM) & (slots - 1)) << 1;
    }

    private static int next(int at, int length) {
        return at + 2 == length ? 0 : at + 2;
    }
}
