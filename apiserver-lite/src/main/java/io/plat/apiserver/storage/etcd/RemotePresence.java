package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.storage.Presence;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Presence of processes that share a store: each has its own key under a lease that it renews. Keys are random, so that processes
 * of the same name are independent.
 */
final class RemotePresence implements Presence {
    static final String PREFIX = RemoteObjects.INTERNAL + "servers/";

    /** As for an election, but with fewer renewals, as a late expiry is harmless. */
    static final RemoteElection.Intervals DEFAULT =
            new RemoteElection.Intervals(RemoteElection.Intervals.DEFAULT.leaseDuration(), Duration.ofSeconds(2));

    private final RemoteKeys keys;
    private final RemoteElection.Intervals intervals;
    private final String key = PREFIX + UUID.randomUUID();
    private final AtomicReference<@Nullable BackgroundLoop> renewal = new AtomicReference<>();
    private long lease;

    RemotePresence(RemoteKeys keys, RemoteElection.Intervals intervals) {
        this.keys = keys;
        this.intervals = intervals;
    }

    @Override
    public void announce(String name) {
        byte[] bytes = name.getBytes(UTF_8);
        var rounds = BackgroundLoop.virtual("presence", new BackgroundLoop.Work() {
            @Override
            public Duration round() throws StorageException {
                return renew(bytes);
            }

            @Override
            public void end() {
                release();
            }
        });
        if (!renewal.compareAndSet(null, rounds)) {
            throw new IllegalStateException("announced twice");
        }
        rounds.start();
    }

    private Duration renew(byte[] name) throws StorageException {
        if (lease != 0 && RemoteLoader.await(keys.renew(lease))) {
            return intervals.retryPeriod();
        }
        lease = 0;
        long id = RemoteLoader.await(keys.lease(intervals.leaseDuration().toSeconds()));
        if (RemoteLoader.await(keys.write(new RemoteWrite(key, name, List.of(), id))) instanceof WriteResult.Done) {
            lease = id;
        }
        return intervals.retryPeriod();
    }

    /** Releases the lease, so that others need not wait for its expiry. */
    private void release() {
        if (lease != 0) {
            RemoteElection.release(keys, lease);
        }
    }

    @Override
    public SortedSet<String> present() throws StorageException {
        SortedSet<String> names = new TreeSet<>();
        RemoteLoader.pages(keys, PREFIX, 0, page -> {
            for (RemoteKeys.Value value : page.values()) {
                if (value.key().startsWith(PREFIX)) {
                    names.add(new String(value.bytes(), UTF_8));
                }
            }
        });
        return names;
    }

    @Override
    public void close() {
        BackgroundLoop rounds = renewal.get();
        if (rounds != null) {
            rounds.finish();
            rounds.join();
        }
    }
}
