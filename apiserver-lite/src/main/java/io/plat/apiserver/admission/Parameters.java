package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The objects that a binding gives a policy as parameters. */
final class Parameters {
    private Parameters() {}

    /** Failure to determine the parameters. */
    static final class ParamException extends Exception {
        private static final long serialVersionUID = 1L;

        ParamException(String message) {
            super(message);
        }
    }

    /**
     * Returns the parameters, for each of which the policy is evaluated; an empty element means no parameter.
     *
     * @param reference the binding's {@code paramRef}
     */
    static List<Optional<ObjectNode>> find(
            ResourceType type, JsonNode reference, AdmissionRequest request, Snapshot snapshot) throws ParamException {
        String namespace = namespace(type, reference, request);
        var parameters = new ArrayList<Optional<ObjectNode>>();
        String name = reference.path("name").asText("");
        if (!name.isEmpty()) {
            snapshot.find(type.storage(), namespace, name).ifPresent(entry -> parameters.add(served(type, entry)));
        } else if (namespace.isEmpty() || Key.isPart(namespace)) {
            LabelSelector selector = selector(reference.path("selector"));
            for (Entry entry :
                    snapshot.page(KeyRange.of(type.storage(), namespace), "", 0).entries()) {
                Optional<ObjectNode> one = served(type, entry);
                if (selector.matches(ResourceMatch.labels(one.orElseThrow()))) {
                    parameters.add(one);
                }
            }
        }
        if (parameters.isEmpty()
                && reference.path("parameterNotFoundAction").asText("").equals("Deny")) {
            throw new ParamException("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return parameters;
    }

    private static Optional<ObjectNode> served(ResourceType type, Entry entry) {
        return Optional.of(ServedObject.of(type, entry).tree());
    }

    private static LabelSelector selector(JsonNode selector) throws ParamException {
        try {
            return LabelSelector.of(selector);
        } catch (StatusException e) {
            throw new ParamException(e.status().message());
        }
    }

    private static String namespace(ResourceType type, JsonNode reference, AdmissionRequest request)
            throws ParamException {
        String named = reference.path("namespace").asText("");
        if (!type.namespaced()) {
            if (!named.isEmpty()) {
                throw new ParamException("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
            }
            return "";
        }
        String namespace = named.isEmpty() ? request.namespace() : named;
        if (namespace.isEmpty()) {
            throw new ParamException(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
        }
        return namespace;
    }
}
