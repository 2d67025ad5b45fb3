package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.Subscription;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import java.time.Duration;

/** Deletes the objects of types whose definitions are being deleted; once they are gone, the definition is released. */
public final class InstanceCleanup implements AutoCloseable {
    /** Interval of checks for objects that finalizers hold. */
    private static final Duration RETRY = Duration.ofMillis(500);

    /** Maximum interval while policies keep objects. */
    private static final Duration MAX_RETRY = Duration.ofSeconds(30);

    private final CustomTypes types;
    private final ObjectStore store;
    private final ResourceOperations operations;
    private final Subscription changes;
    private final BackgroundLoop loop =
            BackgroundLoop.virtual("instance-cleanup", () -> clean() ? BackgroundLoop.UNTIL_SIGNAL : retry());
    private Duration retry = RETRY;
    private boolean denied;

    private InstanceCleanup(CustomTypes types, ResourceOperations operations) {
        this.types = types;
        this.store = types.store();
        this.operations = operations;
        this.changes = types.listen(loop::signal);
    }

    public static InstanceCleanup start(CustomTypes types, ResourceOperations operations) {
        var cleanup = new InstanceCleanup(types, operations);
        cleanup.loop.start();
        return cleanup;
    }

    private Duration retry() {
        Duration longer = retry.multipliedBy(2);
        retry = !denied ? RETRY : longer.compareTo(MAX_RETRY) < 0 ? longer : MAX_RETRY;
        return retry;
    }

    private boolean clean() {
        boolean complete = true;
        denied = false;
        for (CustomResourceDefinition definition : types.now().definitions().values()) {
            complete &= !definition.deleted() || process(definition);
        }
        return complete;
    }

    /** Cleans up after a definition; returns whether it is complete. */
    private boolean process(CustomResourceDefinition definition) {
        ObjectNode object = definition.tree();
        if (!(object.path("metadata").path("finalizers") instanceof ArrayNode finalizers)) {
            return true;
        }
        if (finalizers.valueStream().noneMatch(InstanceCleanup::isCleanupFinalizer)) {
            return true;
        }
        try {
            if (!definition.collides() && !deleteObjects(definition, object)) {
                if (!object.equals(definition.tree())) {
                    store.commit(replacement(definition, object));
                }
                return false;
            }
            finalizers.removeIf(InstanceCleanup::isCleanupFinalizer);
            store.commit(
                    finalizers.isEmpty() ? Transaction.delete(definition.entry()) : replacement(definition, object));
        } catch (StorageException e) {
            // The store reports the failure to its users; here it is only retried.
        }
        return false;
    }

    private static Transaction replacement(CustomResourceDefinition definition, ObjectNode object) {
        return Transaction.replace(definition.entry(), StoredForm.encode(object))
                .asDeletionStep();
    }

    private static boolean isCleanupFinalizer(JsonNode finalizer) {
        return finalizer.asText().equals(DefinitionForm.FINALIZER);
    }

    /** Deletes the existing objects, and reports remaining ones in the definition; returns whether none is left. */
    private boolean deleteObjects(CustomResourceDefinition definition, ObjectNode object) throws StorageException {
        String reason = "InstanceDeletionInProgress";
        String message = "CustomResource deletion is in progress";
        try {
            if (operations.deleteInstances(definition.stored())) {
                return true;
            }
        } catch (StatusException denial) {
            denied = true;
            reason = "InstanceDeletionFailed";
            message = "could not issue all deletes: " + denial.status().message();
        }
        new Conditions(object)
                .set(new Conditions.Condition(Conditions.TERMINATING, true, reason, message), types.time());
        return false;
    }

    @Override
    public void close() {
        changes.close();
        loop.close();
    }
}
