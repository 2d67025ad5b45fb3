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
 * Presence of processes that share a store: each has a note of its own under a lease that it renews. Keys are random, so that processes
 * of the same name are independent.
 */
final class RemotePresence implements Presence {
    static final String NOTES = RemoteObjects.NOTES + "servers/";

    /** As for an election, but with fewer renewals, as a late expiry is harmless. */
    static final RemoteElection.Intervals USUAL =
            new RemoteElection.Intervals(RemoteElection.Intervals.USUAL.lease(), Duration.ofSeconds(2));

    private final RemoteKeys keys;
    private final RemoteElection.Intervals pace;
    private final String key = NOTES + UUID.randomUUID();
    private final AtomicReference<@Nullable BackgroundLoop> prolonging = new AtomicReference<>();
    private long lease;

    RemotePresence(RemoteKeys keys, RemoteElection.Intervals pace) {
        this.keys = keys;
        this.pace = pace;
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
                leave();
            }
        });
        if (!prolonging.compareAndSet(null, rounds)) {
            throw new IllegalStateException("announced twice");
        }
        rounds.start();
    }

    private Duration renew(byte[] name) throws StorageException {
        if (lease != 0 && RemoteLoader.await(keys.renew(lease))) {
            return pace.round();
        }
        lease = 0;
        long id = RemoteLoader.await(keys.lease(pace.lease().toSeconds()));
        if (RemoteLoader.await(keys.write(new RemoteWrite(key, name, List.of(), id))) instanceof WriteResult.Done) {
            lease = id;
        }
        return pace.round();
    }

    /** Releases the lease, so that others need not wait for its expiry. */
    private void leave() {
        if (lease != 0) {
            RemoteElection.release(keys, lease);
        }
    }

    @Override
    public SortedSet<String> present() throws StorageException {
        SortedSet<String> names = new TreeSet<>();
        RemoteLoader.pages(keys, NOTES, 0, page -> {
            for (RemoteKeys.Value value : page.values()) {
                if (value.key().startsWith(NOTES)) {
                    names.add(new String(value.bytes(), UTF_8));
                }
            }
        });
        return names;
    }

    @Override
    public void close() {
        BackgroundLoop rounds = prolonging.get();
        if (rounds != null) {
            rounds.finish();
            rounds.join();
        }
    }
}
