package io.plat.review.source;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Immutable, ordered map with few entries. Policy files have hundreds of thousands of small mappings; hash tables for them would take most of the
 * memory.
 */
final class SmallMap<V> extends AbstractMap<String, V> implements SequencedMap<String, V> {
    /** Beyond this size, a linear search is slower than a hash table, and a hostile file could exploit it. */
    static final int MAX = 8;

    private final String[] keys;
    private final V[] values;

    /** Creates a map of two arrays of equal length, which must not be changed afterwards. */
    SmallMap(String[] keys, V[] values) {
        if (keys.length != values.length || keys.length > MAX) {
            throw new IllegalArgumentException("too many entries: " + keys.length + ", " + values.length);
        }
        this.keys = keys;
        this.values = values;
    }

    private int position(@Nullable Object key) {
        for (int i = 0; i < keys.length; i++) {
            if (keys[i].equals(key)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int position = position(key);
        return position < 0 ? null : values[position];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return position(key) >= 0;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public SequencedMap<String, V> reversed() {
        return new LinkedHashMap<>(this).reversed();
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Entry<String, V>> {
        @Override
        public int size() {
            return keys.length;
        }

        @Override
        public Iterator<Entry<String, V>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.length;
                }

                @Override
                public Entry<String, V> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    int position = next++;
                    return new SimpleImmutableEntry<>(keys[position], values[position]);
                }
            };
        }
    }
}
