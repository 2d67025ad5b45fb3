package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.Optional;

/** Object that the server itself maintains, through the operations of requests. */
public record ManagedObject(ResourceOperations operations, Target target) {
    /** Returns the current state, with its resourceVersion; empty if the object does not exist. */
    public Optional<ObjectNode> now() throws StatusException {
        return operations.find(target);
    }

    public void create(ObjectNode object) throws StatusException {
        operations.create(target.named(""), ParsedObject.of(object), WriteOptions.DEFAULT);
    }

    /** Replaces the state that the object names by resourceVersion. */
    public void update(ObjectNode object) throws StatusException {
        operations.update(target, ParsedObject.of(object), WriteOptions.DEFAULT);
    }

    public void updateStatus(ObjectNode object) throws StatusException {
        ResourceType.Subresource status = target.type().subresource("status").orElseThrow();
        operations.update(target, status, ParsedObject.of(object), WriteOptions.DEFAULT, WriteCheck.NONE);
    }

    public void delete(ObjectNode state) throws StatusException {
        String uid = state.path("metadata").path("uid").asText();
        operations.delete(target, new DeleteOptions(false, uid, null, DeleteOptions.Propagation.UNSPECIFIED));
    }
}
