package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waiters for revisions to be reached: in memory, or by a follower. Thread-safe. */
public final class RevisionWaiters {
    private final NavigableMap<Long, List<CompletableFuture<@Nullable Void>>> waiting = new TreeMap<>();
    private long newest;

    public RevisionWaiters(long newest) {
        this.newest = newest;
    }

    /** Returns a future that completes when a revision is reached, or when that becomes uncertain: waiters check again. */
    public synchronized CompletableFuture<@Nullable Void> of(long revision) {
        if (revision <= newest) {
            return CompletableFuture.completedFuture(null);
        }
        var arrived = new CompletableFuture<@Nullable Void>();
        waiting.computeIfAbsent(revision, any -> new ArrayList<>()).add(arrived);
        return arrived;
    }

    synchronized void cancel(CompletableFuture<@Nullable Void> unneeded) {
        waiting.values().removeIf(some -> some.removeIf(one -> one == unneeded) && some.isEmpty());
    }

    public void reached(long revision) {
        complete(revision, false);
    }

    /** Notifies that pending revisions may be late, or never come; the store may have returned to this revision. */
    public void interrupted(long revision) {
        complete(revision, true);
    }

    private void complete(long revision, boolean all) {
        var reached = new ArrayList<CompletableFuture<@Nullable Void>>();
        synchronized (this) {
            newest = all ? revision : Math.max(newest, revision);
            var passed = all ? waiting : waiting.headMap(newest, true);
            passed.values().forEach(reached::addAll);
            passed.clear();
        }
        reached.forEach(one -> one.complete(null));
    }
}
