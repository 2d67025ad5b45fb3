package io.plat.apiserver.storage.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.storage.LeaderTask;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.etcd.RemoteKeys.WriteResult;
import io.plat.http.process.OpenResources;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election: runs a task while this process holds a key under a lease that it renews. A process ends its task before its lease
 * can expire, counted from its last renewal request, so that two leaders never overlap for long; their writes have preconditions that
 * make an overlap harmless.
 */
final class RemoteElection implements BackgroundLoop.Work, AutoCloseable {
    static final String LEADER = RemoteObjects.INTERNAL + "leader";

    private static final Logger LOG = LoggerFactory.getLogger(RemoteElection.class);

    /**
     * Intervals.
     *
     * @param leaseDuration duration of a lease in whole seconds
     * @param retryPeriod interval between renewals, and between attempts to become leader
     */
    record Intervals(Duration leaseDuration, Duration retryPeriod) {
        static final Intervals DEFAULT = new Intervals(Duration.ofSeconds(6), Duration.ofSeconds(1));

        /** Returns the time since the last renewal after which a leader ends its task. */
        long renewDeadlineNanos() {
            return leaseDuration.toNanos() * 2 / 3;
        }
    }

    private final RemoteKeys keys;
    private final LeaderTask task;
    private final Intervals intervals;
    private final byte[] identity = UUID.randomUUID().toString().getBytes(UTF_8);
    private final BackgroundLoop rounds;
    private @Nullable OpenResources running;
    private long lease;
    private long renewed;

    RemoteElection(RemoteKeys keys, LeaderTask task, Intervals intervals) {
        this.keys = keys;
        this.task = task;
        this.intervals = intervals;
        this.rounds = BackgroundLoop.virtual("storage-election", this);
    }

    void start() {
        rounds.start();
    }

    @Override
    public Duration round() throws StorageException {
        try {
            if (running != null) {
                renew();
            } else if (RemoteLoader.await(keys.get(LEADER)) == null) {
                tryAcquire();
            }
        } finally {
            if (running != null && System.nanoTime() - renewed > intervals.renewDeadlineNanos()) {
                stepDown("the lease could not be renewed");
            }
        }
        return intervals.retryPeriod();
    }

    private void renew() throws StorageException {
        long requested = System.nanoTime();
        if (RemoteLoader.await(keys.renew(lease))) {
            renewed = requested;
        } else {
            stepDown("the lease has ended");
        }
    }

    private void tryAcquire() throws StorageException {
        renewed = System.nanoTime();
        lease = RemoteLoader.await(keys.lease(intervals.leaseDuration().toSeconds()));
        var acquisition = new RemoteWrite(
                LEADER, identity, List.of(new RemoteWrite.Expected(LEADER, Transaction.Expectation.ABSENT)), lease);
        if (RemoteLoader.await(keys.write(acquisition)) instanceof WriteResult.Done) {
            LOG.info("this server was elected to run the controllers");
            running = task.start();
        } else {
            RemoteLoader.await(keys.release(lease));
        }
    }

    private void stepDown(String reason) {
        if (stop()) {
            LOG.warn("this server no longer runs the controllers: cause={}", reason);
        }
    }

    private boolean stop() {
        OpenResources ending = running;
        running = null;
        if (ending != null) {
            ending.close();
        }
        return ending != null;
    }

    /** Releases the lease, so that another process need not wait for its expiry. */
    @Override
    public void end() {
        if (stop()) {
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
