package io.plat.apiserver.storage;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Recent changes by revision. Revisions may have gaps, as a backend may assign them to other things.
 *
 * <p>One thread appends and trims; any number read, without a lock. The floor is raised before a change is dropped, so that a reader that
 * finds the floor unchanged afterwards has missed nothing.
 */
public final class History {
    private final StoreOptions options;
    /** State at the floor, and the changes since. */
    private final ConcurrentNavigableMap<Long, Change> changes = new ConcurrentSkipListMap<>();

    private volatile long floor;
    private Change newest;
    private long length;
    private long weight;

    /** Creates a history without changes since a state; later revisions must be larger. */
    public History(StoreOptions options, long floor, Tree tree) {
        this.options = options;
        this.floor = floor;
        this.newest = new Change(floor, List.of(), 0, tree);
        changes.put(floor, newest);
    }

    public void append(Change change) {
        if (change.revision() <= newest.revision()) {
            throw new IllegalStateException("change " + change.revision() + " after " + newest.revision());
        }
        newest = change;
        changes.put(change.revision(), change);
        length += change.events().size();
        weight += change.weight();
    }

    /**
     * Drops changes beyond the policy. There is a limit on memory in addition: a burst of writes may shorten the history, but never
     * exhaust the heap.
     *
     * @param dropped called for each dropped event
     */
    public void trim(Consumer<Event> dropped) {
        long oldestTime = Long.MIN_VALUE;
        long max = Long.MAX_VALUE;
        switch (options.history()) {
            case HistoryPolicy.Age age ->
                oldestTime = options.clock().millis() - age.age().toMillis();
            case HistoryPolicy.Changes policy -> max = policy.changes();
        }
        for (Map.Entry<Long, Change> next = changes.higherEntry(floor);
                next != null;
                next = changes.higherEntry(floor)) {
            Change first = next.getValue();
            if (first.time() >= oldestTime && length <= max && weight <= options.maxHistoryBytes()) {
                return;
            }
            floor = first.revision();
            changes.put(floor, new Change(floor, List.of(), first.time(), first.tree()));
            changes.pollFirstEntry();
            length -= first.events().size();
            weight -= first.weight();
            first.events().forEach(dropped);
        }
    }

    /** Returns the time without changes, in milliseconds, after which to trim. */
    long idleMillis() {
        return switch (options.history()) {
            case HistoryPolicy.Age age -> Math.clamp(age.age().toMillis() / 10, 10, 1000);
            case HistoryPolicy.Changes kept -> 1000;
        };
    }

    long floor() {
        return floor;
    }

    /** Returns the objects after the last change; for the appending thread. */
    public Tree newest() {
        return newest.tree();
    }

    /** Returns the objects at a revision; null if it is compacted. */
    public @Nullable Tree at(long revision) {
        Map.Entry<Long, Change> last = changes.floorEntry(revision);
        return last == null || floor > revision ? null : last.getValue().tree();
    }

    /** Returns the changes after a revision, up to and including another; incomplete if the floor is above {@code after} afterwards. */
    public Collection<Change> between(long after, long until) {
        return after < until ? changes.subMap(after, false, until, true).values() : List.of();
    }
}
