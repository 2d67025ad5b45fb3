package io.plat.apiserver.storage;

import java.util.List;
import java.util.function.Consumer;

/**
 * Objects and their recent history in memory, whatever it is that makes changes durable: reads, past states and watches.
 *
 * <p>One thread publishes what is durable, through one reference; any number read, without a lock. Each change keeps the tree that it led
 * to, which shares most of its nodes with the one before.
 */
public final class VersionedMemory implements AutoCloseable {
    private final StoreOptions options;
    private final Consumer<Event> dropped;
    private final Watchers watchers;
    private volatile State state;

    /**
     * A memory of what was loaded.
     *
     * @param history the changes that are known
     * @param revision the newest revision, at least that of the last change
     * @param dropped called, by the thread that publishes, for every event that is no longer kept
     */
    public VersionedMemory(StoreOptions options, History history, long revision, Consumer<Event> dropped) {
        this.options = options;
        this.dropped = dropped;
        this.state = new State(revision, history.newest(), history);
        this.watchers = new Watchers(this::state);
    }

    /** Begins to notify watches. */
    public void start() {
        watchers.start();
    }

    /** The newest state. */
    public State state() {
        return state;
    }

    /** Returns the newest snapshot. */
    public Snapshot latest() {
        return snapshot(state);
    }

    private static Snapshot snapshot(State now) {
        return new TreeSnapshot(now.revision(), now.tree());
    }

    /** {@link ObjectStore#at}. */
    public Lookup at(long revision) {
        State now = state;
        if (revision >= now.revision()) {
            return notBefore(now, revision);
        }
        Tree tree = now.history().at(revision);
        return tree == null ? new Lookup.Gone(now.floor()) : new Lookup.Found(new TreeSnapshot(revision, tree));
    }

    /** {@link ObjectStore#notBefore}. */
    public Lookup notBefore(long revision) {
        return notBefore(state, revision);
    }

    private static Lookup notBefore(State now, long revision) {
        return revision > now.revision() ? new Lookup.Future(now.revision()) : new Lookup.Found(snapshot(now));
    }

    /** {@link ObjectStore#watch}. */
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return watchers.watch(range, after, ready);
    }

    /**
     * Shows changes, all of them at once. By the publishing thread.
     *
     * @param changes in order; may be empty
     * @param revision at least that of the last change
     */
    public void publish(List<Change> changes, long revision) {
        State before = state;
        changes.forEach(before.history()::append);
        before.history().trim(dropped);
        Tree tree = changes.isEmpty() ? before.tree() : changes.getLast().tree();
        state = new State(revision, tree, before.history());
        watchers.published(changes, revision);
    }

    /**
     * Begins anew with what is there now, where it is not known how it came about: every watch that was begun has missed something. By the
     * publishing thread.
     *
     * @param revision may be smaller than those before it
     */
    public void restart(long revision, Tree tree) {
        state = new State(revision, tree, new History(options, revision, tree));
        watchers.restarted(revision);
    }

    /** Forgets what has grown old although nothing is written. By the publishing thread. */
    public void idle() {
        state.history().trim(dropped);
    }

    /** Returns after how many milliseconds without a change {@link #idle} is to be called. */
    public long idleMillis() {
        return state.history().idleMillis();
    }

    /** Returns whether watches are notified in time. */
    public boolean isCurrent() {
        return watchers.isCurrent();
    }

    @Override
    public void close() {
        watchers.close();
    }
}
