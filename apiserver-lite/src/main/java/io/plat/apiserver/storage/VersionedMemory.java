package io.plat.apiserver.storage;

import java.util.List;
import java.util.function.Consumer;

/**
 * In-memory objects with recent history, independent of how changes become durable: reads, past states and watches.
 *
 * <p>One thread publishes durable changes through one reference; readers take no lock. Each change retains its resulting tree, which
 * shares most nodes with the previous one.
 */
public final class VersionedMemory implements AutoCloseable {
    private final StoreOptions options;
    private final Consumer<Event> dropped;
    private final WatchNotifier notifier;
    private volatile StoreState state;

    /**
     * Creates a memory of loaded objects.
     *
     * @param history known changes
     * @param revision newest revision, at least that of the last change
     * @param dropped called, by the publishing thread, for every event that is dropped from history
     */
    public VersionedMemory(StoreOptions options, History history, long revision, Consumer<Event> dropped) {
        this.options = options;
        this.dropped = dropped;
        this.state = new StoreState(revision, history.newest(), history);
        this.notifier = new WatchNotifier(this::state);
    }

    /** Starts notifying watches. */
    public void start() {
        notifier.start();
    }

    /** Returns the newest state. */
    public StoreState state() {
        return state;
    }

    /** Returns the newest snapshot. */
    public Snapshot latest() {
        return snapshot(state);
    }

    private static Snapshot snapshot(StoreState now) {
        return new TreeSnapshot(now.revision(), now.tree());
    }

    /** Implements {@link ObjectStore#at}. */
    public Lookup at(long revision) {
        StoreState now = state;
        if (revision >= now.revision()) {
            return notBefore(now, revision);
        }
        Tree tree = now.history().at(revision);
        return tree == null ? new Lookup.Gone(now.floor()) : new Lookup.Found(new TreeSnapshot(revision, tree));
    }

    /** Implements {@link ObjectStore#notBefore}. */
    public Lookup notBefore(long revision) {
        return notBefore(state, revision);
    }

    private static Lookup notBefore(StoreState now, long revision) {
        return revision > now.revision() ? new Lookup.Future(now.revision()) : new Lookup.Found(snapshot(now));
    }

    /** Implements {@link ObjectStore#watch}. */
    public Watch watch(KeyRange range, long after, Runnable ready) {
        return notifier.watch(range, after, ready);
    }

    /**
     * Publishes changes, all at once. Called by the publishing thread.
     *
     * @param changes changes in order; may be empty
     * @param revision revision, at least that of the last change
     */
    public void publish(List<Change> changes, long revision) {
        StoreState before = state;
        changes.forEach(before.history()::append);
        before.history().trim(dropped);
        Tree tree = changes.isEmpty() ? before.tree() : changes.getLast().tree();
        state = new StoreState(revision, tree, before.history());
        notifier.published(changes, revision);
    }

    /**
     * Restarts with a state whose preceding changes are unknown: every existing watch has missed something. Called by the publishing
     * thread.
     *
     * @param revision new revision, possibly smaller than earlier ones
     */
    public void restart(long revision, Tree tree) {
        state = new StoreState(revision, tree, new History(options, revision, tree));
        notifier.restarted(revision);
    }

    /** Trims history while nothing is written. Called by the publishing thread. */
    public void idle() {
        state.history().trim(dropped);
    }

    /** Returns the time without changes, in milliseconds, after which to call {@link #idle}. */
    public long idleMillis() {
        return state.history().idleMillis();
    }

    /** Returns whether watches are notified in time. */
    public boolean isCurrent() {
        return notifier.isCurrent();
    }

    @Override
    public void close() {
        notifier.close();
    }
}
