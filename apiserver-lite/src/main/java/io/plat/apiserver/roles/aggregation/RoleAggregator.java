package io.plat.apiserver.roles.aggregation;

import io.plat.apiserver.resource.AggregatedRules;
import io.plat.apiserver.roles.StoredRoles;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.engine.rbac.index.GatheredRules;
import io.plat.engine.rbac.index.RbacIndex;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Writes what aggregating roles gather into them. One thread, which sleeps while no role changes. */
public final class RoleAggregator implements AutoCloseable {
    private static final long RETRY_SECONDS = 1;

    private final StoredRoles roles;
    private final AggregatedRules writer;
    private final Semaphore changes = new Semaphore(1);
    private final Thread thread;
    private volatile boolean closed;

    private RoleAggregator(StoredRoles roles, ObjectStore store) {
        this.roles = roles;
        this.writer = new AggregatedRules(store);
        this.thread = Thread.ofVirtual().name("aggregation").unstarted(this::run);
    }

    /** Fills what there is, and from then on what changes, until closed. */
    public static RoleAggregator start(StoredRoles roles, ObjectStore store) {
        RoleAggregator aggregator = new RoleAggregator(roles, store);
        roles.listen(aggregator.changes::release);
        aggregator.thread.start();
        return aggregator;
    }

    private void run() {
        boolean failed = false;
        try {
            while (!closed) {
                if (failed) {
                    changes.tryAcquire(RETRY_SECONDS, TimeUnit.SECONDS);
                } else {
                    changes.acquire();
                }
                changes.drainPermits();
                failed = !fill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether everything could be written. What changed meanwhile is told again. */
    private boolean fill() {
        RbacIndex index = roles.current().get();
        if (index == null) {
            return true;
        }
        try {
            for (GatheredRules each : index.unfilled()) {
                writer.fill(each.role(), each.rules());
            }
            return true;
        } catch (StorageException e) {
            // The store says so itself, through its problem and to whoever writes; here there is only to try again.
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
