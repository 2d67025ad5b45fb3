package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects and their recent history in memory, whatever it is that makes changes durable: reads, past states and watches.
 *
 * <p>One thread publishes what is durable, through one reference; any number read, without a lock. Kept are the newest tree, the changes
 * of the history, and the tree as it was at each publication (its nodes are mostly shared). The state between two of these is had by undoing
 * changes.
 */
final class VersionedMemory implements AutoCloseable {
    /**
     * A tree as it was once.
     *
     * @param tree the objects
     * @param newest the place of the last change in it
     */
    private record Past(Tree tree, long newest) {}

    /**
     * What readers look at.
     *
     * @param state the newest state
     * @param past trees by their revision; those of this state's history and a few before
     */
    private record Shown(State state, ConcurrentNavigableMap<Long, Past> past) {}

    private final Trimming trimming;
    private final Consumer<Event> dropped;
    private final Watchers watchers;
    /** Of the publishing thread. */
    private History history;

    private volatile Shown shown;

    /**
     * A memory of what was loaded.
     *
     * @param dropped told, by the thread that publishes, of every change that is no longer kept
     */
    VersionedMemory(StoreOptions options, Loaded loaded, Consumer<Event> dropped) {
        this.trimming = new Trimming(options);
        this.dropped = dropped;
        this.history = new History(loaded.floor(), 0);
        loaded.changes().forEach(history::append);
        History.View all = history.view();
        var past = new ConcurrentSkipListMap<Long, Past>();
        loaded.trees().forEach((revision, tree) -> past.put(revision, new Past(tree, all.firstAfter(revision) - 1)));
        trimming.trim(history, dropped);
        this.shown = new Shown(
                new State(
                        loaded.revision(),
                        history.floor(),
                        loaded.tree(),
                        loaded.tree().weight(),
                        history.view()),
                past);
        past.headMap(history.floor()).clear();
        this.watchers = new Watchers(this::state);
    }

    /**
     * What a memory begins with.
     *
     * @param floor the revision after which every change is known
     * @param changes the changes after it, in order
     * @param trees the tree at the newest revision, and at some of those before it
     * @param revision the newest revision
     */
    record Loaded(long floor, List<Change> changes, SortedMap<Long, Tree> trees, long revision) {
        Tree tree() {
            return trees.getOrDefault(revision, Tree.EMPTY);
        }
    }

    void start() {
        watchers.start();
    }

    State state() {
        return shown.state();
    }

    Snapshot latest() {
        State now = state();
        return new TreeSnapshot(now.revision(), now.tree());
    }

    Lookup at(long revision) {
        Shown now = shown;
        State state = now.state();
        if (revision > state.revision()) {
            return new Lookup.Future(state.revision());
        }
        if (revision == state.revision()) {
            return new Lookup.Found(new TreeSnapshot(revision, state.tree()));
        }
        Tree tree = before(now, revision);
        return tree == null ? new Lookup.Gone(state().floor()) : new Lookup.Found(new TreeSnapshot(revision, tree));
    }

    /** The tree of an earlier revision; null if a change in between is no longer kept. */
    private static @Nullable Tree before(Shown now, long revision) {
        State state = now.state();
        Map.Entry<Long, Past> later = now.past().ceilingEntry(revision);
        // Since the last publication that changed something nothing has changed.
        boolean changed = later != null && later.getKey() <= state.revision();
        Tree tree = changed ? later.getValue().tree() : state.tree();
        long newest = changed ? later.getValue().newest() : state.events().newest();
        long first = state.events().firstAfter(revision);
        if (first == History.View.GONE) {
            return null;
        }
        for (long place = newest; place >= first; place--) {
            Event event = state.events().at(place);
            if (event == null) {
                return null;
            }
            Entry previous = event.previous();
            tree = previous == null ? tree.remove(event.key()) : tree.put(previous);
        }
        return tree;
    }

    Lookup notBefore(long revision) {
        State now = state();
        return revision > now.revision()
                ? new Lookup.Future(now.revision())
                : new Lookup.Found(new TreeSnapshot(now.revision(), now.tree()));
    }

    Watch watch(KeyRange range, long after, Runnable ready) {
        return watchers.watch(range, after, ready);
    }

    /**
     * Shows changes, all of them at once. By the publishing thread.
     *
     * @param changes in order; every change of a revision, or none; may be empty
     * @param revision at least that of the last change
     * @param tree the objects after them
     * @param weight about how many bytes of memory these take
     */
    void publish(List<Change> changes, long revision, Tree tree, long weight) {
        var kept = new ArrayList<History.Kept>(changes.size());
        for (Change change : changes) {
            kept.add(history.append(change));
        }
        trimming.trim(history, dropped);
        if (!kept.isEmpty()) {
            shown.past().put(revision, new Past(tree, kept.getLast().place()));
        }
        show(new State(revision, history.floor(), tree, weight, history.view()), shown.past());
        watchers.published(kept, revision);
    }

    /**
     * Begins anew with what is there now, where it is not known how it came about: every watch that was begun has missed something. By the
     * publishing thread.
     *
     * @param revision may be smaller than those before it
     */
    void restart(long revision, Tree tree) {
        history = new History(revision, history.view().newest());
        show(new State(revision, revision, tree, tree.weight(), history.view()), new ConcurrentSkipListMap<>());
        watchers.restarted(revision);
    }

    private void show(State state, ConcurrentNavigableMap<Long, Past> past) {
        shown = new Shown(state, past);
        past.headMap(state.floor()).clear();
    }

    /** Forgets what has grown old although nothing is written. By the publishing thread. */
    void idle() {
        long before = history.floor();
        trimming.trim(history, dropped);
        if (history.floor() != before) {
            State now = state();
            show(new State(now.revision(), history.floor(), now.tree(), now.weight(), history.view()), shown.past());
        }
    }

    /** After how many milliseconds without a change {@link #idle} is to be called. */
    long idleMillis() {
        return trimming.idleMillis();
    }

    /** Whether watches are notified in time. */
    boolean isCurrent() {
        return watchers.isCurrent();
    }

    @Override
    public void close() {
        watchers.close();
    }
}
