package io.plat.apiserver.registration;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.Optional;

/** Object that the server writes through the operations of requests. */
record ManagedObject(ResourceOperations operations, Target target) {
    /** Returns the current state, with its resourceVersion. */
    Optional<ObjectNode> now() throws StatusException {
        return operations.find(target);
    }

    void create(ObjectNode object) throws StatusException {
        operations.create(target.named(""), ParsedObject.of(object), WriteOptions.DEFAULT);
    }

    /** Replaces the state that the object names by resourceVersion. */
    void update(ObjectNode object) throws StatusException {
        operations.update(target, ParsedObject.of(object), WriteOptions.DEFAULT);
    }

    void updateStatus(ObjectNode object) throws StatusException {
        ResourceType.Subresource status = target.type().subresource("status").orElseThrow();
        operations.update(target, status, ParsedObject.of(object), WriteOptions.DEFAULT, () -> {});
    }

    void delete(String uid) throws StatusException {
        operations.delete(target, new DeleteOptions(false, uid, null, DeleteOptions.Propagation.UNSAID));
    }
}
