package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.storage.LeaderTask;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election: performs a duty while this process holds a note under a lease that it renews. A process ends its duty before its lease
 * can expire, counted from its last renewal request, so that two leaders never overlap for long; their writes have preconditions that
 * make an overlap harmless.
 */
final class RemoteElection implements BackgroundLoop.Work, AutoCloseable {
    static final String LEADER = RemoteObjects.NOTES + "leader";

    private static final Logger LOG = LoggerFactory.getLogger(RemoteElection.class);

    /**
     * Intervals.
     *
     * @param lease duration of a lease in whole seconds
     * @param round interval of renewals, and of attempts to become leader
     */
    record Intervals(Duration lease, Duration round) {
        static final Intervals USUAL = new Intervals(Duration.ofSeconds(6), Duration.ofSeconds(1));

        /** Returns the time after the last renewal after which a duty ends. */
        long trustedNanos() {
            return lease.toNanos() * 2 / 3;
        }
    }

    private final RemoteKeys keys;
    private final LeaderTask task;
    private final Intervals pace;
    private final byte[] identity = UUID.randomUUID().toString().getBytes(UTF_8);
    private final BackgroundLoop rounds;
    private LeaderTask.@Nullable ActiveTask doing;
    private long lease;
    private long renewed;

    RemoteElection(RemoteKeys keys, LeaderTask task, Intervals pace) {
        this.keys = keys;
        this.task = task;
        this.pace = pace;
        this.rounds = BackgroundLoop.virtual("storage-election", this);
    }

    void start() {
        rounds.start();
    }

    @Override
    public Duration round() throws StorageException {
        try {
            if (doing != null) {
                renew();
            } else if (RemoteLoader.await(keys.get(LEADER)) == null) {
                stand();
            }
        } finally {
            if (doing != null && System.nanoTime() - renewed > pace.trustedNanos()) {
                resign("the lease could not be renewed");
            }
        }
        return pace.round();
    }

    private void renew() throws StorageException {
        long requested = System.nanoTime();
        if (RemoteLoader.await(keys.renew(lease))) {
            renewed = requested;
        } else {
            resign("the lease has ended");
        }
    }

    private void stand() throws StorageException {
        renewed = System.nanoTime();
        lease = RemoteLoader.await(keys.lease(pace.lease().toSeconds()));
        var note = new RemoteWrite(
                LEADER, identity, List.of(new RemoteWrite.Expected(LEADER, Transaction.Expectation.ABSENT)), lease);
        if (RemoteLoader.await(keys.write(note)) instanceof WriteResult.Done) {
            LOG.info("this server was elected to run the controllers");
            doing = new LeaderTask.ActiveTask(task);
        } else {
            RemoteLoader.await(keys.release(lease));
        }
    }

    private void resign(String reason) {
        LeaderTask.ActiveTask ending = doing;
        doing = null;
        if (ending != null) {
            ending.close();
            LOG.warn("this server no longer runs the controllers: cause={}", reason);
        }
    }

    /** Releases the lease, so that another process need not wait for its expiry. */
    @Override
    public void end() {
        LeaderTask.ActiveTask ending = doing;
        doing = null;
        if (ending != null) {
            ending.close();
            release(keys, lease);
        }
    }

    /** Revokes a lease; if that fails, it expires. */
    static void release(RemoteKeys keys, long lease) {
        try {
            RemoteLoader.await(keys.release(lease));
        } catch (StorageException e) {
            LOG.debug("the lease was not revoked and will expire: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        rounds.finish();
        rounds.join();
    }
}
