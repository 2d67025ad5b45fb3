package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * How far a follower has come with each resource: which changes it has read, and which of those have taken effect. For any
 * number of threads; reads and effects are told by the follower's own.
 */
public final class Progress {
    private final Map<String, Long> read = new HashMap<>();
    private final Map<String, Long> effective = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();

    private record Waiting(String resource, long revision, CompletableFuture<Boolean> reached) {}

    /** Everything up to a revision has been read of a resource. */
    public synchronized void read(String resource, long revision) {
        read.put(resource, revision);
    }

    /** Everything that has been read is in effect. */
    public void tookEffect() {
        for (Waiting one : reached()) {
            one.reached.complete(true);
        }
    }

    private synchronized List<Waiting> reached() {
        effective.putAll(read);
        List<Waiting> reached = new ArrayList<>();
        for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
            Waiting one = each.next();
            if (isEffective(one.resource, one.revision)) {
                reached.add(one);
                each.remove();
            }
        }
        return reached;
    }

    /** Completes, with true, once a change of a resource is in effect. */
    CompletableFuture<Boolean> until(String resource, long revision) {
        CompletableFuture<Boolean> reached = new CompletableFuture<>();
        synchronized (this) {
            if (!isEffective(resource, revision)) {
                waiting.add(new Waiting(resource, revision, reached));
                return reached;
            }
        }
        reached.complete(true);
        return reached;
    }

    /** Forgets a future that nobody waits for any more. */
    synchronized void giveUp(CompletableFuture<Boolean> reached) {
        waiting.removeIf(one -> one.reached == reached);
    }

    private boolean isEffective(String resource, long revision) {
        return effective.getOrDefault(resource, 0L) >= revision;
    }

    /** How many changes are waited for. */
    synchronized int waiting() {
        return waiting.size();
    }
}
