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
 * A few entries in an order, unchangeable. Policy files have hundreds of thousands of mappings with a handful of keys each; tables for them
 * would take most of the memory.
 */
final class SmallMap<V> extends AbstractMap<String, V> implements SequencedMap<String, V> {
    /** With more, looking at one after another would take longer than a table, and a hostile file could make it take long. */
    static final int MAX = 8;

    private final String[] keys;
    private final V[] values;

    /** The entries of two arrays of one length, which are not changed any more. */
    SmallMap(String[] keys, V[] values) {
        if (keys.length != values.length || keys.length > MAX) {
            throw new IllegalArgumentException("not a few entries: " + keys.length + ", " + values.length);
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
