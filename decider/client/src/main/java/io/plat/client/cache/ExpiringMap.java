package io.plat.client.cache;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Map of bounded weight whose entries expire at fixed times. Thread-safe; a lookup takes no lock and writes at most one flag.
 *
 * <p>If there is no room, entries are evicted in insertion order, except that one that was used since gets a second chance. An owner
 * of more than a quarter of a full map loses its own entries first: requests of one client do not evict the entries of all others. Each addition
 * also checks the two oldest entries, so that expired entries that are never looked up are removed.
 */
final class ExpiringMap<K, V> {
    private static final int SWEPT = 2;

    /** An owner's share of a full map is this part of it. */
    private static final int SHARES = 4;

    private final ConcurrentMap<K, Entry<K, V>> entries = new ConcurrentHashMap<>();
    private final Deque<Entry<K, V>> order = new ArrayDeque<>();
    private final ReentrantLock adding = new ReentrantLock();
    private final Map<String, Long> weights = new HashMap<>();
    private final Function<K, String> owner;
    private final long maxWeight;
    private final LongSupplier nanos;
    private final CacheCounts counts;
    private long weight;

    /**
     * An entry.
     *
     * @param added when it was added, by the clock
     * @param until when it expires
     */
    record Times(long added, long until) {}

    /** A value, and whether it was used since eviction last considered it. */
    static final class Entry<K, V> {
        private final K key;
        private final V value;
        private final String owner;
        private final long added;
        private final long until;
        private final int weight;
        private volatile boolean used;

        private Entry(K key, V value, String owner, Times times, int weight) {
            this.key = key;
            this.value = value;
            this.owner = owner;
            this.added = times.added;
            this.until = times.until;
            this.weight = weight;
        }

        V value() {
            return value;
        }

        /** Returns when it was added, by the clock. */
        long added() {
            return added;
        }

        private boolean isExpired(long now) {
            return now - until >= 0;
        }
    }

    /** @param owner returns the owner of an entry that is added */
    ExpiringMap(Function<K, String> owner, long maxWeight, LongSupplier nanos, CacheCounts counts) {
        this.owner = owner;
        this.maxWeight = maxWeight;
        this.nanos = nanos;
        this.counts = counts;
    }

    /** Returns the entry, or null if there is none or it has expired. */
    @Nullable
    Entry<K, V> find(K key) {
        Entry<K, V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.isExpired(nanos.getAsLong())) {
            expire(entry);
            return null;
        }
        if (!entry.used) {
            entry.used = true;
        }
        return entry;
    }

    private void expire(Entry<K, V> entry) {
        adding.lock();
        try {
            if (entries.remove(entry.key, entry)) {
                weigh(entry, -1);
                counts.add(CacheCounts.Event.EXPIRED, 1);
            }
        } finally {
            adding.unlock();
        }
    }

    /** Adds or replaces an entry. One that is heavier than the whole map is not added. */
    void put(K key, V value, Times times, int entryWeight) {
        if (entryWeight <= maxWeight) {
            put(new Entry<>(key, value, owner.apply(key), times, entryWeight));
        }
    }

    private void put(Entry<K, V> added) {
        adding.lock();
        try {
            Entry<K, V> replaced = entries.put(added.key, added);
            weigh(added, 1);
            if (replaced != null) {
                weigh(replaced, -1);
            }
            order.addLast(added);
            long now = nanos.getAsLong();
            for (int i = 0; (i < SWEPT || weight > maxWeight) && !order.isEmpty(); i++) {
                // Lookups cannot prevent an addition: each entry has at most one more chance.
                Entry<K, V> oldest = order.removeFirst();
                consider(oldest, weight > maxWeight && mayReplace(added.owner, oldest), i > entries.size(), now);
            }
        } finally {
            adding.unlock();
        }
    }

    private void weigh(Entry<K, V> entry, int sign) {
        long difference = (long) sign * entry.weight;
        weight += difference;
        weights.merge(entry.owner, difference, (held, more) -> held + more == 0 ? null : held + more);
    }

    /** Returns whether an entry may be evicted for one of an owner. */
    private boolean mayReplace(String adding, Entry<K, V> oldest) {
        return adding.equals(oldest.owner) || weights.getOrDefault(adding, 0L) <= maxWeight / SHARES;
    }

    private void consider(Entry<K, V> oldest, boolean full, boolean again, long now) {
        if (entries.get(oldest.key) != oldest) {
            return;
        }
        if (oldest.isExpired(now)) {
            expire(oldest);
        } else if (full && (again || !oldest.used)) {
            entries.remove(oldest.key, oldest);
            weigh(oldest, -1);
            counts.add(CacheCounts.Event.SIZE, 1);
        } else {
            // Its chance is only used up if an entry had to be evicted.
            oldest.used &= !full;
            order.addLast(oldest);
        }
    }

    int size() {
        return entries.size();
    }

    long weight() {
        adding.lock();
        try {
            return weight;
        } finally {
            adding.unlock();
        }
    }

    /** Adds the entries of another map that a filter accepts, with their times. */
    void addAll(ExpiringMap<K, V> other, Predicate<V> filter) {
        other.entries.forEach((key, entry) -> {
            if (filter.test(entry.value)) {
                put(new Entry<>(key, entry.value, entry.owner, new Times(entry.added, entry.until), entry.weight));
            }
        });
    }
}
