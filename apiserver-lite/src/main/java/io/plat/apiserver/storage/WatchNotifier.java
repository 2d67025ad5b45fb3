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
 * Notifies watches of published changes, on a separate thread, so that thousands of them never delay the next commit. A change is
 * announced only to the watches of its resource. Changes are queued here rather than read from history: even if that is short, a watch of
 * a quiet range never has to search it.
 */
final class WatchNotifier implements RangeWatch.Source, BackgroundLoop.Work, AutoCloseable {
    private final Supplier<StoreState> published;
    private final ConcurrentMap<String, Set<RangeWatch>> byResource = new ConcurrentHashMap<>();
    private final BackgroundLoop notifier;
    private final Queue<Notification> pending = new ConcurrentLinkedQueue<>();
    private volatile long notifiedRevision;
    private volatile @Nullable Notification newest;
    private @Nullable Notification inProgress;

    /**
     * Notification of all watches.
     *
     * @param revision revision up to which there are no other changes
     * @param restarted whether other changes are unknown
     */
    private record Notification(List<Change> changes, long revision, boolean restarted) {}

    WatchNotifier(Supplier<StoreState> published) {
        this.published = published;
        this.notifiedRevision = published.get().revision();
        this.notifier = BackgroundLoop.platform("storage-announcer", this);
    }

    void start() {
        notifier.start();
    }

    Watch watch(KeyRange range, long after, Runnable ready) {
        var watch = new RangeWatch(range, after, this, ready);
        byResource
                .computeIfAbsent(range.resource(), resource -> ConcurrentHashMap.newKeySet())
                .add(watch);
        return watch;
    }

    @Override
    public long notifiedRevision() {
        return notifiedRevision;
    }

    @Override
    public StoreState state() {
        return published.get();
    }

    @Override
    public void closed(KeyRange range, RangeWatch watch) {
        byResource.getOrDefault(range.resource(), new HashSet<>()).remove(watch);
    }

    /** Announces changes, and that there are no others up to a revision. Called in the order of revisions. */
    void published(List<Change> changes, long revision) {
        enqueue(new Notification(changes, revision, false));
    }

    void restarted(long revision) {
        enqueue(new Notification(List.of(), revision, true));
    }

    private void enqueue(Notification notification) {
        pending.add(notification);
        newest = notification;
        notifier.signal();
    }

    /** After a failure, watches that received part of an announcement have missed the rest. */
    @Override
    public void begin() {
        Notification partial = inProgress;
        if (partial != null) {
            failAll();
            notifiedRevision = partial.revision();
            inProgress = null;
        }
    }

    /** Announces what is pending at the start of the round: with a stream of changes a round would never end. */
    @Override
    @SuppressWarnings("ReferenceEquality") // The same instance: another one may be equal.
    public Duration round() {
        Notification last = newest;
        Notification next;
        do {
            next = pending.poll();
            if (next == null) {
                return BackgroundLoop.UNTIL_SIGNAL;
            }
            inProgress = next;
            next.changes().forEach(this::notifyOf);
            if (next.restarted()) {
                failAll();
            }
            notifiedRevision = next.revision();
            inProgress = null;
        } while (next != last);
        return pending.isEmpty() ? BackgroundLoop.UNTIL_SIGNAL : BackgroundLoop.NONE;
    }

    private void failAll() {
        byResource.values().forEach(watches -> watches.forEach(RangeWatch::lose));
    }

    private void notifyOf(Change change) {
        for (Event event : change.events()) {
            byResource.getOrDefault(event.key().resource(), Set.of()).forEach(watch -> watch.notifyOf(event));
        }
    }

    boolean isCurrent() {
        return notifier.freshness().isCurrent();
    }

    @Override
    public void close() {
        notifier.finish();
    }
}
