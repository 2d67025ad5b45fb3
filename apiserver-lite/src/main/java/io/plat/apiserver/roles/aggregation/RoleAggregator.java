package io.plat.apiserver.roles.aggregation;

import io.plat.apiserver.roles.StoredRoles;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.Listening;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Writes what aggregating roles gather into them. One thread, which sleeps while no role changes. */
public final class RoleAggregator implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final StoredRoles roles;
    private final AggregatedRules writer;
    private final Listening changes;
    private final BackgroundLoop filling =
            BackgroundLoop.virtual("aggregation", () -> fill() ? BackgroundLoop.UNTIL_SIGNAL : RETRY);

    private RoleAggregator(StoredRoles roles, ObjectStore store) {
        this.roles = roles;
        this.writer = new AggregatedRules(store);
        this.changes = roles.listen(filling::signal);
    }

    /** Fills what there is, and from then on what changes, until closed. */
    public static RoleAggregator start(StoredRoles roles, ObjectStore store) {
        RoleAggregator aggregator = new RoleAggregator(roles, store);
        aggregator.filling.start();
        return aggregator;
    }

    /** Whether everything could be written. What changed meanwhile is told again. */
    private boolean fill() {
        RbacIndex index = roles.current().latest();
        if (index == null) {
            return true;
        }
        try {
            for (Map.Entry<RbacRole, List<RbacRule>> each : index.unfilled().entrySet()) {
                writer.fill(each.getKey(), each.getValue());
            }
            return true;
        } catch (StorageException e) {
            // The store says so itself, through its problem and to whoever writes; here there is only to try again.
            return false;
        }
    }

    @Override
    public void close() {
        changes.close();
        filling.close();
    }
}
