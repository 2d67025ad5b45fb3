package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.resource.PodOperations;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;

/**
 * Operations on pods that are sent to a path of their own, and are answered with a Status.
 *
 * @param pods does them
 * @param requests what a request that writes says
 * @param pod the type of pods
 * @param binding the type of what says where a pod runs
 */
record PodEndpoint(PodOperations pods, WriteRequests requests, ResourceType pod, ResourceType binding) {
    static final String BINDING = "binding";
    static final String EVICTION = "eviction";

    /** {@code pods/NAME/binding}, and {@code bindings}, whose object says the name. */
    Answer bind(Call call, ResourceAttributes access) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, Representation.STATUS);
        Target target = new Target(pod, access.namespace(), access.name());
        pods.bind(target, binding, requests.object(call, binding), requests.options(call, "CreateOptions"));
        return done(answer);
    }

    /** {@code pods/NAME/eviction}. */
    Answer evict(Call call, ResourceAttributes access) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, Representation.STATUS);
        Target target = new Target(pod, access.namespace(), access.name());
        pods.evict(target, requests.object(call, PodOperations.EVICTION), requests.options(call, "CreateOptions"));
        return done(answer);
    }

    private static Answer done(DocumentAnswer answer) throws StatusException {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return answer.of(201, status.put("status", "Success").put("code", 201));
    }
}
