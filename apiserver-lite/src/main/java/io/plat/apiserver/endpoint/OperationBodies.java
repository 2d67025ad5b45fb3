package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;

/** Reader of the bodies of requests that create virtual objects. */
@FunctionalInterface
interface OperationBodies {
    /**
     * Reads a body.
     *
     * @throws StatusException 400 for another type, or for unknown fields under strict validation
     */
    OperationBody read(Call call, ResourceType type) throws StatusException;

    /** Returns a reader that validates fields as for stored objects. */
    static OperationBodies validated(WriteRequestParser parser, ResourceOperations operations) {
        return (call, type) -> {
            byte[] json = parser.bodies().json(call, type);
            ResourceAttributes access = (ResourceAttributes) call.info().access();
            return operations.operation(
                    new Target(type, type.namespaced() ? access.namespace() : "", ""),
                    access.subresource(),
                    json,
                    parser.options(call, "CreateOptions"));
        };
    }
}
