package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.RevisionWaiters;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.VersionedMemory;
import io.plat.process.BackgroundLoop;
import io.plat.process.Freshness;
import io.plat.process.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicates etcd into memory: one thread applies the changes of a feed in order, and starts another feed when it ends. After a
 * compaction everything is listed again; the changes in between are unknown, so every watch ends.
 *
 * <p>The newest revision is requested once a second. So a stalled feed is detected and replaced, and the position of watches advances
 * even if only others write. A feed that omits changes is not revealed by revisions: from time to time the memory is compared with the
 * store, and loaded again if they differ.
 */
final class RemoteFollower implements BackgroundLoop.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteFollower.class);

    private static final long PROBE_NANOS = Duration.ofSeconds(1).toNanos();
    /** With the interval between probes at most the 3 s within which readiness detects an outage. */
    private static final long PROBE_TIMEOUT_NANOS = Duration.ofMillis(1800).toNanos();

    private static final long STALL_NANOS = Duration.ofSeconds(5).toNanos();
    /** Interval between comparisons with the store, in multiples of the staleness limit: five minutes by default. */
    private static final int COMPARISON_PERIOD = 30;

    /** The same once the memory is known to differ. */
    private static final long DOUBT_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long MIN_PAUSE_MILLIS = 20;
    private static final long MAX_PAUSE_MILLIS = 1000;

    /** Listener of one feed; late reports of earlier feeds are ignored. */
    private final class Listener implements FeedListener {
        @Override
        public void changed(List<Changed> changes) {
            add(() -> {
                objects.apply(changes, memory);
                caughtUp();
            });
        }

        @Override
        public void progressed(long revision) {
            add(() -> progress(revision));
        }

        @Override
        public void ended(FeedListener.Ended reason) {
            add(() -> {
                switch (reason) {
                    case FeedListener.Ended.Compacted compacted -> reloadRequired = true;
                    case FeedListener.Ended.Broken(String message) -> failed(message);
                }
                listener = null;
            });
        }

        private void add(Runnable report) {
            reports.add(() -> {
                if (listener == this) {
                    report.run();
                }
            });
        }
    }

    private final RemoteKeys keys;
    private final VersionedMemory memory;
    private final RevisionWaiters waiters;
    private final ForeignEntries foreign;
    private final RemoteObjects objects;
    private final RemoteCompaction compaction;
    /** Reports of feeds and probes, processed by the thread. */
    private final BlockingQueue<Runnable> reports = new LinkedBlockingQueue<>();

    private final Freshness confirmed;
    private final long comparisonNanos;
    private final BackgroundLoop loop;
    private volatile @Nullable String problem;
    private volatile RemoteKeys.@Nullable Feed feed;
    private volatile boolean closed;
    private @Nullable Listener listener;
    private boolean started;
    private boolean reloadRequired;
    private boolean connected;
    private long pause = MIN_PAUSE_MILLIS;
    private long probed;
    /** Time at which the last comparison began, by {@link System#nanoTime}. */
    private long compared;

    /** True once an entry of the memory was seen to differ from the store. */
    private volatile boolean doubted;

    private boolean probing;
    /** Time of the pending probe, by {@link System#nanoTime}; 0 if there is none. */
    private volatile long probePending;

    private long newestRevision;
    /** Time at which it was requested, by {@link System#nanoTime}. */
    private long requestedAt;
    /** Time since which the memory has been behind it, by {@link System#nanoTime}. */
    private long behindSince;

    RemoteFollower(
            RemoteKeys keys, VersionedMemory memory, RevisionWaiters waiters, StoreOptions options, Duration silence) {
        this.keys = keys;
        this.memory = memory;
        this.waiters = waiters;
        this.foreign = options.foreign();
        this.objects = new RemoteObjects(options);
        this.compaction = new RemoteCompaction(keys, options.history());
        this.confirmed = new Freshness("storage", silence);
        this.comparisonNanos = COMPARISON_PERIOD * silence.toNanos();
        this.loop = BackgroundLoop.platform("storage-follower", this);
    }

    void start() {
        loop.start();
    }

    /** Compares the memory with the store soon, as one of its entries differs. */
    void doubt() {
        doubted = true;
    }

    /** Returns the reason why the memory is outdated; empty while it is current. */
    Optional<String> problem() {
        long since = probePending;
        return since != 0 && System.nanoTime() - since > PROBE_TIMEOUT_NANOS
                ? Optional.of("no answer in time")
                : Optional.ofNullable(problem);
    }

    boolean isCurrent() {
        return confirmed.isCurrent();
    }

    /** Requests progress from the feed: a caller waits for a revision that may have no changes here. */
    void requestProgress() {
        RemoteKeys.Feed current = feed;
        if (current != null) {
            current.requestProgress();
        }
    }

    /** After a failure everything is read again: changes may have been applied in part. */
    @Override
    public void begin() {
        end();
        reloadRequired = started;
        started = true;
    }

    @Override
    public Duration round() throws InterruptedException {
        try {
            if (listener == null) {
                listener = connect();
            }
            if (follow()) {
                return BackgroundLoop.NONE;
            }
        } catch (StorageException e) {
            failed(String.valueOf(e.getMessage()));
        }
        end();
        // History ages meanwhile.
        memory.idle();
        if (problem == null) {
            return BackgroundLoop.NONE;
        }
        Duration wait = Duration.ofMillis(pause);
        pause = Math.min(pause * 2, MAX_PAUSE_MILLIS);
        return wait;
    }

    private Listener connect() throws StorageException {
        // Reports and probe responses from before are obsolete.
        reports.clear();
        clearProbe();
        requestedAt = System.nanoTime();
        newestRevision = RemoteLoader.await(keys.revision());
        if (newestRevision < memory.state().revision()) {
            LOG.error(
                    "the store went back to a revision before one that clients have seen: revision={} seen={}",
                    newestRevision,
                    memory.state().revision());
            reloadRequired = true;
        }
        var loader = new RemoteLoader(keys, foreign);
        if (connected && !reloadRequired && !loader.contains(memory.state())) {
            LOG.error(
                    "the store's history was replaced: revision={}",
                    memory.state().revision());
            reloadRequired = true;
        }
        connected = true;
        if (reloadRequired) {
            RemoteLoader.LoadedState reloaded = loader.newest();
            memory.restart(reloaded.revision(), reloaded.tree());
            waiters.interrupted(reloaded.revision());
            newestRevision = Math.max(newestRevision, reloaded.revision());
            reloadRequired = false;
            LOG.warn("changes were missed and everything was reloaded: revision={}", reloaded.revision());
        }
        var started = new Listener();
        feed = keys.follow(memory.state().revision() + 1, started);
        behindSince = System.nanoTime();
        compared = behindSince;
        caughtUp();
        return started;
    }

    /** Processes the next report; returns whether the feed continues. */
    private boolean follow() throws InterruptedException {
        Runnable report = reports.poll(memory.idleMillis(), TimeUnit.MILLISECONDS);
        if (report == null) {
            memory.idle();
        } else {
            report.run();
        }
        if (listener == null) {
            return false;
        }
        if (System.nanoTime() - compared > (doubted ? DOUBT_NANOS : comparisonNanos)) {
            compare(listener);
        }
        if (memory.state().revision() < newestRevision && System.nanoTime() - behindSince > STALL_NANOS) {
            failed("changes up to revision " + newestRevision + " did not arrive");
            return false;
        }
        probe();
        compaction.upTo(memory.state().floor());
        return true;
    }

    /** Compares the memory with the store at its revision, without delaying changes. */
    private void compare(Listener current) {
        compared = System.nanoTime();
        doubted = false;
        StoreState state = memory.state();
        Tasks.virtual("storage-comparison", () -> {
            try {
                if (!new RemoteLoader(keys, foreign).contains(state)) {
                    current.add(() -> {
                        LOG.error("the feed omitted changes: revision={}", state.revision());
                        reloadRequired = true;
                        listener = null;
                    });
                }
            } catch (StorageException e) {
                LOG.debug("the memory was not compared with the store: {}", e.getMessage());
            }
        });
    }

    private void progress(long revision) {
        if (revision > memory.state().revision()) {
            memory.publish(List.of(), revision);
        }
        caughtUp();
    }

    private void clearProbe() {
        probing = false;
        probePending = 0;
    }

    private void updateNewest(long revision, long requestedAt) {
        this.requestedAt = requestedAt;
        if (revision > newestRevision) {
            if (memory.state().revision() >= newestRevision) {
                behindSince = System.nanoTime();
            }
            newestRevision = revision;
        }
        if (memory.state().revision() < newestRevision) {
            requestProgress();
        }
        caughtUp();
    }

    private void caughtUp() {
        long revision = memory.state().revision();
        waiters.reached(revision);
        if (revision >= newestRevision) {
            confirmed.confirmed(requestedAt);
            behindSince = System.nanoTime();
            if (problem != null && !probing) {
                problem = null;
                pause = MIN_PAUSE_MILLIS;
                LOG.info("the store is available: revision={}", revision);
            }
        }
    }

    private void probe() {
        long now = System.nanoTime();
        if (probing || now - probed < PROBE_NANOS) {
            return;
        }
        probing = true;
        probed = now;
        probePending = now | 1;
        long seen = memory.state().revision();
        var _ = keys.revision()
                .whenComplete((revision, failure) -> reports.add(() -> {
                    clearProbe();
                    if (failure != null) {
                        failed(RemoteLoader.message(failure));
                    } else if (revision < seen) {
                        // Later changes would be mistaken for known ones: connecting again reloads everything.
                        failed("the feed reported revision " + seen + ", the store is at " + revision);
                        listener = null;
                    } else {
                        updateNewest(revision, now);
                    }
                }));
    }

    /** Logs a failure once, not for each retry. */
    private void failed(String message) {
        if (problem == null && !closed) {
            LOG.error("the storage is not current: cause={}", message);
        }
        problem = message;
    }

    @Override
    public void end() {
        listener = null;
        RemoteKeys.Feed closing = feed;
        feed = null;
        if (closing != null) {
            closing.close();
        }
        // Pending writes may be late: their callers are released.
        waiters.interrupted(memory.state().revision());
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        loop.join();
    }
}
