package io.plat.apiserver.roles;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleConversion;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.Subscription;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.BackgroundLoop;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writer of the rules of aggregated cluster roles. Uses one thread, which sleeps while no role changes. */
public final class RoleAggregator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoleAggregator.class);
    private static final String RESOURCE = RbacKind.CLUSTER_ROLE.resource() + "." + ApiGroups.RBAC;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final StoredRoles roles;
    private final ObjectStore store;
    private final Subscription changes;
    private final BackgroundLoop filling =
            BackgroundLoop.virtual("aggregation", () -> fill() ? BackgroundLoop.UNTIL_SIGNAL : RETRY);

    /** The roles as they were in the last round: what could not be written then is not tried again. */
    private Map<ObjectKey, RbacIndex.Aggregated> filled = Map.of();

    private RoleAggregator(StoredRoles roles, ObjectStore store) {
        this.roles = roles;
        this.store = store;
        this.changes = roles.listen(filling::signal);
    }

    public static RoleAggregator start(StoredRoles roles, ObjectStore store) {
        RoleAggregator aggregator = new RoleAggregator(roles, store);
        aggregator.filling.start();
        return aggregator;
    }

    /** Performs a round; returns whether everything was written. Later changes trigger another round. */
    private boolean fill() {
        RbacIndex index = roles.current().latest();
        if (index == null) {
            return true;
        }
        try {
            Map<ObjectKey, RbacIndex.Aggregated> before = filled;
            filled = new HashMap<>();
            for (RbacIndex.Aggregated each : index.aggregated()) {
                ObjectKey key = each.role().key();
                if (each.equals(before.get(key))
                        || each.rules().equals(each.role().rules())
                        || fill(each.role(), each.rules())) {
                    filled.put(key, each);
                }
            }
            return filled.size() == index.aggregated().size();
        } catch (StorageException e) {
            // The store reports the failure through its health check and to its users; here it is only retried.
            return false;
        }
    }

    /**
     * Writes rules into a role if it is unchanged. A role that has changed may aggregate something else, or nothing: the previous rules
     * must not be written.
     */
    private boolean fill(RbacRole seen, List<RbacRule> rules) throws StorageException {
        Optional<Entry> entry =
                store.latest().get(new Key(RESOURCE, "", seen.key().name()));
        if (entry.isEmpty()) {
            return true;
        }
        ObjectNode object = StoredForm.decode(entry.get().value(), 0);
        if (!RoleConversion.model(RbacKind.CLUSTER_ROLE, object).equals(seen)) {
            return true;
        }
        ArrayNode list = object.putArray("rules");
        rules.forEach(rule -> list.add(RoleConversion.json(rule)));
        try {
            return store.commit(Transaction.replace(entry.get(), StoredForm.encodeWithinBounds(object)))
                    instanceof Outcome.Committed;
        } catch (StatusException tooLarge) {
            LOG.warn(
                    "aggregated rules could not be written: clusterrole={} cause={}",
                    FieldErrorMessages.quoted(seen.key().name()),
                    tooLarge.status().message());
            return true;
        }
    }

    @Override
    public void close() {
        changes.close();
        filling.close();
    }
}
