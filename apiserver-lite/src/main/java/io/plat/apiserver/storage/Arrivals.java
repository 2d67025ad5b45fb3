package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Who waits for revisions to arrive in memory. */
final class Arrivals {
    /** Completes when the revision is there, or when it may never come: whoever waits looks again. */
    private record Waiting(long revision, CompletableFuture<@Nullable Void> arrived) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            return Long.compare(revision, other.revision);
        }
    }

    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
    private long newest;

    Arrivals(long newest) {
        this.newest = newest;
    }

    /** Completes when a revision has arrived, or when nobody knows whether it will. */
    synchronized CompletableFuture<@Nullable Void> of(long revision) {
        if (revision <= newest) {
            return CompletableFuture.completedFuture(null);
        }
        var arrived = new CompletableFuture<@Nullable Void>();
        waiting.add(new Waiting(revision, arrived));
        return arrived;
    }

    /** A revision is in memory. */
    void arrived(long revision) {
        var reached = new ArrayList<Waiting>();
        synchronized (this) {
            newest = Math.max(newest, revision);
            for (Waiting first = waiting.peek(); first != null && first.revision() <= newest; first = waiting.peek()) {
                reached.add(waiting.remove());
            }
        }
        reached.forEach(one -> one.arrived().complete(null));
    }

    /** What is on its way may be late, or never come; revisions may have gone back to this one. */
    void interrupted(long revision) {
        List<Waiting> all;
        synchronized (this) {
            newest = revision;
            all = List.copyOf(waiting);
            waiting.clear();
        }
        all.forEach(one -> one.arrived().complete(null));
    }
}
