package io.plat.apiserver.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes verdicts, each on the condition that the object is unchanged. Thread-safe. */
record GarbageActionExecutor(ResourceOperations operations, OwnerLookup owners) {
    /** Deletions are subject to admission: an owner that is made up must not have an object deleted that a policy keeps. */
    private static final Requester COLLECTOR = Requester.ofController("generic-garbage-collector");

    /**
     * Executes a verdict.
     *
     * @throws StatusException as thrown by the operations: 404 and 409 if the object has changed
     */
    void execute(GarbageAction action) throws StatusException {
        switch (action) {
            case GarbageAction.Delete delete -> delete(delete);
            case GarbageAction.Drop drop ->
                edit(drop.object(), metadata -> {
                    // Each removal moves the items behind it.
                    drop.positions().reversed().forEach(metadata.withArray(drop.list())::remove);
                    if (metadata.path(drop.list()).isEmpty()) {
                        metadata.remove(drop.list());
                    }
                });
        }
    }

    private void delete(GarbageAction.Delete delete) throws StatusException {
        GraphNode object = delete.object();
        @Nullable String revision = Long.toString(object.revision());
        if (!delete.unblocked().isEmpty()) {
            // The state changes, which triggers another judgement.
            revision = null;
            edit(
                    object,
                    metadata -> delete.unblocked()
                            .forEach(i -> ((ObjectNode)
                                            metadata.path("ownerReferences").path(i))
                                    .put("blockOwnerDeletion", false)));
        }
        operations.delete(
                target(object), new DeleteOptions(false, object.uid(), revision, delete.propagation()), COLLECTOR);
    }

    private void edit(GraphNode object, Consumer<ObjectNode> change) throws StatusException {
        operations.editMetadata(target(object), object.revision(), change);
    }

    private Target target(GraphNode object) {
        return new Target(
                owners.type(object.key().resource()),
                object.key().namespace(),
                object.key().name());
    }
}
