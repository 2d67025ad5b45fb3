package io.plat.apiserver.storage;

import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notifies watches of what was published, from a thread of its own, so that thousands of them never hold up the next commit. A change
 * is shown only to the watches of its resource. Changes come here by a queue of their own, not by the history: however short
 * that is, a watch of a quiet range never has to look for what it was not notified of.
 */
final class Watchers implements RangeWatch.Source, BackgroundLoop.Work, AutoCloseable {
    private final Supplier<State> published;
    private final ConcurrentMap<String, Set<RangeWatch>> byResource = new ConcurrentHashMap<>();
    private final BackgroundLoop announcer;
    private final Queue<Announcement> unannounced = new ConcurrentLinkedQueue<>();
    private volatile long announced;
    private volatile @Nullable Announcement newest;
    private @Nullable Announcement underway;

    /**
     * A notification of all watches.
     *
     * @param changes what changed
     * @param revision nothing else did up to here
     * @param restarted whether what else did is not known
     */
    private record Announcement(List<Change> changes, long revision, boolean restarted) {}

    Watchers(Supplier<State> published) {
        this.published = published;
        this.announced = published.get().revision();
        this.announcer = BackgroundLoop.platform("storage-announcer", this);
    }

    void start() {
        announcer.start();
    }

    Watch watch(KeyRange range, long after, Runnable ready) {
        var watch = new RangeWatch(range, after, this, ready);
        byResource
                .computeIfAbsent(range.resource(), resource -> ConcurrentHashMap.newKeySet())
                .add(watch);
        return watch;
    }

    @Override
    public long announced() {
        return announced;
    }

    @Override
    public State state() {
        return published.get();
    }

    @Override
    public void closed(KeyRange range, RangeWatch watch) {
        byResource.getOrDefault(range.resource(), new HashSet<>()).remove(watch);
    }

    /** These changes are visible now, and no others up to a revision. Called in the order of revisions. */
    void published(List<Change> changes, long revision) {
        enqueue(new Announcement(changes, revision, false));
    }

    /** There is a state now that was not come to by changes that are known. */
    void restarted(long revision) {
        enqueue(new Announcement(List.of(), revision, true));
    }

    private void enqueue(Announcement announcement) {
        unannounced.add(announcement);
        newest = announcement;
        announcer.signal();
    }

    /** Watches that were notified of a part of an announcement have missed the rest. */
    @Override
    public void begin() {
        Announcement partial = underway;
        if (partial != null) {
            loseAll();
            announced = partial.revision();
            underway = null;
        }
    }

    /** Announces what there is when it begins: with a stream of changes there would be no end. */
    @Override
    @SuppressWarnings("ReferenceEquality") // The very announcement: another one may be equal.
    public Duration round() {
        Announcement last = newest;
        Announcement next;
        do {
            next = unannounced.poll();
            if (next == null) {
                return BackgroundLoop.UNTIL_SIGNAL;
            }
            underway = next;
            next.changes().forEach(this::announce);
            if (next.restarted()) {
                loseAll();
            }
            announced = next.revision();
            underway = null;
        } while (next != last);
        return unannounced.isEmpty() ? BackgroundLoop.UNTIL_SIGNAL : BackgroundLoop.NONE;
    }

    private void loseAll() {
        byResource.values().forEach(watches -> watches.forEach(RangeWatch::lose));
    }

    private void announce(Change change) {
        for (Event event : change.events()) {
            byResource.getOrDefault(event.key().resource(), Set.of()).forEach(watch -> watch.announce(event));
        }
    }

    boolean isCurrent() {
        return announcer.freshness().isCurrent();
    }

    @Override
    public void close() {
        announcer.finish();
    }
}
