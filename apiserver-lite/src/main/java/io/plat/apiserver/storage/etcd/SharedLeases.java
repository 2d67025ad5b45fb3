package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.StorageException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.util.NanoTime;

/**
 * Leases of objects that expire. Objects that are written within a short time share one, as in kube-apiserver: etcd holds each lease in
 * memory until it expires, even if its object was replaced or deleted. Thread-safe.
 */
final class SharedLeases {
    /** Maximum number of writes with one lease: all of its objects expire at once. */
    static final int MAX_WRITES = 1_000;

    /** Part of the lifetime during which writes share a lease. */
    private static final int PART = 60;

    private final RemoteKeys keys;
    private final Map<Duration, Lease> newest = new HashMap<>();

    private static final class Lease {
        private final CompletableFuture<Long> id;
        private final long end;
        private int writes;

        Lease(CompletableFuture<Long> id, long end) {
            this.id = id;
            this.end = end;
        }
    }

    SharedLeases(RemoteKeys keys) {
        this.keys = keys;
    }

    /** Returns the id of a lease for a write: it expires after the lifetime, or up to a {@value #PART}th and a second of it later. */
    synchronized CompletableFuture<Long> lease(Duration lifetime) {
        Lease lease = newest.get(lifetime);
        if (lease == null
                || lease.writes == MAX_WRITES
                || NanoTime.until(lease.end) <= 0
                || lease.id.isCompletedExceptionally()) {
            Duration shared = lifetime.dividedBy(PART);
            long seconds = lifetime.plus(shared).plusMillis(999).toSeconds();
            lease = new Lease(keys.lease(seconds), NanoTime.now() + shared.toNanos());
            newest.put(lifetime, lease);
        }
        lease.writes++;
        return lease.id;
    }

    /** Forgets the leases after a failed write if etcd may have lost them: clients can make writes fail in other ways. */
    synchronized void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (!(cause instanceof StorageException refused) || refused.kind() == StorageException.Kind.UNAVAILABLE) {
            newest.clear();
        }
    }
}
