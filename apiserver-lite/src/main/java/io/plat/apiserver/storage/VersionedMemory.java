package io.plat.apiserver.storage;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    private final Map<String, Long> shares = new ConcurrentHashMap<>();

    /** Memory of the data derived from the objects of each namespace, and of all. */
    private final Map<String, Long> derived = new ConcurrentHashMap<>();

    private final LongAdder allDerived = new LongAdder();

    private volatile StoreState state;

    /**
     * @param revision newest revision, at least that of the last change
     * @param dropped called, by the publishing thread, for every event that is dropped from history
     */
    public VersionedMemory(StoreOptions options, History history, long revision, Consumer<Event> dropped) {
        this.options = options;
        this.dropped = dropped;
        this.state = new StoreState(revision, history.newest(), history);
        this.notifier = new WatchNotifier(this::state);
        count(state.tree());
    }

    private void count(Tree tree) {
        tree.slice(0, tree.size()).forEach(entry -> count(Event.of(null, entry), shares));
    }

    /** Returns the key of fair memory shares: the namespace of an object, or its type if it is cluster-scoped. */
    private static String share(Key key) {
        return key.namespace().isEmpty() ? "/" + key.resource() : key.namespace();
    }

    /** Adds the growth of an object by a change to that of its share. */
    public static void count(Event event, Map<String, Long> shares) {
        @Nullable Entry previous = event.previous();
        long growth = (event.type() == Event.Type.DELETED ? 0 : event.entry().weight())
                - (previous == null ? 0 : previous.weight());
        count(shares, share(event.key()), growth);
    }

    private static void count(Map<String, Long> shares, String share, long growth) {
        if (growth != 0) {
            shares.merge(share, growth, Long::sum);
            shares.remove(share, 0L);
        }
    }

    /** Implements {@link ObjectStore#countDerived}. */
    public void countDerived(String namespace, long bytes) {
        allDerived.add(bytes);
        count(derived, namespace, bytes);
    }

    /**
     * Returns whether there is room for a new state of an object. Existing ones may grow a little beyond the limit, as a deletion starts by
     * adding a timestamp. A namespace, or a cluster-scoped type, may use four times the remaining free memory, so that it cannot starve
     * others.
     *
     * @param grown growth of shares in the tree since the published state
     * @param freesSpace whether it is a step of a deletion
     */
    public boolean hasRoom(
            Tree tree, Map<String, Long> grown, @Nullable Entry previous, Entry next, boolean freesSpace) {
        long growth = next.weight() - (previous == null ? 0 : previous.weight());
        long limit = options.maxObjectBytes() + (previous == null ? 0 : options.maxObjectBytes() / 20);
        long free = limit - used(tree) - growth;
        String share = share(next.key());
        long own = growth;
        for (Map<String, Long> part : List.of(shares, grown, derived)) {
            own += part.getOrDefault(share, 0L);
        }
        return growth <= 0 || (free >= 0 && (freesSpace || own <= 4 * free));
    }

    private long used(Tree tree) {
        return tree.weight() + allDerived.sum();
    }

    /** Returns the failure of a write for which there is no room. */
    public StorageException full(Tree tree) {
        return new StorageException(
                StorageException.Kind.FULL,
                "the objects use " + used(tree) + " bytes of memory, of a limit of " + options.maxObjectBytes()
                        + ", and four fifths of it for one namespace or cluster-scoped type: delete some first");
    }

    /** Returns the share of the memory limit of objects that is in use. */
    public double fullness() {
        return (double) used(state.tree()) / options.maxObjectBytes();
    }

    public void start() {
        notifier.start();
    }

    public StoreState state() {
        return state;
    }

    public Snapshot latest() {
        return snapshot(state);
    }

    private static Snapshot snapshot(StoreState now) {
        return new Snapshot(now.revision(), now.tree());
    }

    /** Implements {@link ObjectStore#at}. */
    public Lookup at(long revision) {
        StoreState now = state;
        if (revision >= now.revision()) {
            return notBefore(now, revision);
        }
        Tree tree = now.history().at(revision);
        return tree == null ? new Lookup.Gone(now.floor()) : new Lookup.Found(new Snapshot(revision, tree));
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
        changes.forEach(change -> change.events().forEach(event -> count(event, shares)));
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
        shares.clear();
        count(tree);
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

    public boolean isCurrent() {
        return notifier.isCurrent();
    }

    @Override
    public void close() {
        notifier.close();
    }
}
