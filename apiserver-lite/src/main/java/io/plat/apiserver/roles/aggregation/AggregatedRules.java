package io.plat.apiserver.roles.aggregation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleObjects;
import io.plat.apiserver.schema.FieldWords;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the rules that an aggregating cluster role gathers. */
public final class AggregatedRules {
    private static final Logger LOG = LoggerFactory.getLogger(AggregatedRules.class);
    private static final String RESOURCE = RbacKind.CLUSTER_ROLE.resource() + "." + ApiGroups.RBAC;

    private final ObjectStore store;

    /** Writes to a store. */
    public AggregatedRules(ObjectStore store) {
        this.store = store;
    }

    /**
     * Puts rules into a role if it is still what it was when they were gathered. A role that is not gathers something else, or
     * nothing: what it had before must not come into it.
     *
     * @throws StorageException if the store can't be read or written
     */
    public void fill(RbacRole seen, List<RbacRule> rules) throws StorageException {
        Optional<Entry> entry =
                store.latest().get(new Key(RESOURCE, "", seen.key().name()));
        if (entry.isEmpty()) {
            return;
        }
        ObjectNode object = StoredForm.decode(entry.get().value(), 0);
        if (!RoleObjects.model(RbacKind.CLUSTER_ROLE, object).equals(seen)) {
            return;
        }
        ArrayNode list = object.putArray("rules");
        rules.forEach(rule -> list.add(RoleObjects.json(rule)));
        try {
            store.commit(Transaction.replace(entry.get(), StoredForm.encodeWithinBounds(object)));
        } catch (StatusException tooLarge) {
            LOG.warn(
                    "the rules that cluster role {} gathers can't be written into it: {}",
                    FieldWords.quoted(seen.key().name()),
                    tooLarge.status().message());
        }
    }
}
