package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Subscription;
import io.plat.apiserver.type.Target;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the objects of types whose definitions are being deleted; once they are gone, the definition is released. */
public final class InstanceCleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceCleanup.class);

    /** Interval of checks for objects that finalizers hold. */
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final CustomTypes types;
    private final ObjectStore store;
    private final ResourceOperations operations;
    private final Subscription changes;
    private final BackgroundLoop cleaning =
            BackgroundLoop.virtual("instance-cleanup", () -> clean() ? BackgroundLoop.UNTIL_SIGNAL : AGAIN);

    private InstanceCleanup(CustomTypes types, ResourceOperations operations) {
        this.types = types;
        this.store = types.store();
        this.operations = operations;
        this.changes = types.listen(cleaning::signal);
    }

    /** Starts following deleted definitions. */
    public static InstanceCleanup start(CustomTypes types, ResourceOperations operations) {
        var cleanup = new InstanceCleanup(types, operations);
        cleanup.cleaning.start();
        return cleanup;
    }

    private boolean clean() {
        boolean settled = true;
        for (CustomResourceDefinition definition : types.now().definitions().values()) {
            settled &= !definition.deleted() || settle(definition);
        }
        return settled;
    }

    /** Cleans up after a definition; returns whether it is complete. */
    private boolean settle(CustomResourceDefinition definition) {
        ObjectNode object = definition.tree();
        if (!(object.path("metadata").path("finalizers") instanceof ArrayNode finalizers)) {
            return true;
        }
        if (finalizers.valueStream().noneMatch(InstanceCleanup::isOwn)) {
            return true;
        }
        try {
            if (!definition.collides() && !empty(definition.stored())) {
                return false;
            }
            finalizers.removeIf(InstanceCleanup::isOwn);
            Transaction transaction = finalizers.isEmpty()
                    ? Transaction.delete(definition.entry())
                    : Transaction.replace(definition.entry(), StoredForm.encode(object))
                            .freeing(true);
            store.commit(transaction);
            return false;
        } catch (StatusException e) {
            LOG.warn(
                    "objects of {} could not be deleted yet: {}",
                    definition.name(),
                    e.status().message());
            return false;
        } catch (StorageException e) {
            // The store reports the failure to its users; here it is only retried.
            return false;
        }
    }

    private static boolean isOwn(JsonNode finalizer) {
        return finalizer.asText().equals(DefinitionForm.FINALIZER);
    }

    /** Deletes the existing objects; returns whether none is left. */
    private boolean empty(ResourceType type) throws StatusException, StorageException {
        KeyRange all = KeyRange.of(type.storage());
        if (store.latest().count(all) > 0) {
            operations.deleteCollection(new Target(type, "", ""), ListOptions.DEFAULT, DeleteOptions.DEFAULT, null);
        }
        return store.latest().count(all) == 0;
    }

    @Override
    public void close() {
        changes.close();
        cleaning.close();
    }
}
