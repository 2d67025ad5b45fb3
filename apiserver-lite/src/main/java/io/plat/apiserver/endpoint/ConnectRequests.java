package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * Requests for connections into pods. This server opens none, but reports denials by policies first.
 *
 * @param operations admission of the requests
 */
record ConnectRequests(ResourceOperations operations) {
    private static final List<String> FLAGS = List.of("stdin", "stdout", "stderr", "tty");

    /**
     * Admits a request.
     *
     * @throws StatusException if a policy denies it
     */
    void admit(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        QueryParameters query = call.info().query();
        ObjectNode options = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1");
        type.subresource(access.subresource())
                .flatMap(ResourceType.Subresource::operation)
                .ifPresent(operation -> options.put("kind", operation.kind()));
        if (access.subresource().equals("portforward")) {
            ArrayNode ports = options.putArray("ports");
            query.values().getOrDefault("ports", List.of()).stream()
                    .filter(port -> port.matches("[0-9]{1,9}"))
                    .forEach(port -> ports.add(Integer.parseInt(port)));
        } else {
            for (String flag : FLAGS) {
                boolean output = flag.startsWith("std") && !flag.equals("stdin");
                options.put(flag, query.first(flag).isPresent() ? query.flag(flag) : output);
            }
            query.first("container").ifPresent(container -> options.put("container", container));
            ArrayNode command = options.putArray("command");
            query.values().getOrDefault("command", List.of()).forEach(command::add);
        }
        operations.admit(AdmissionRequest.of(
                AdmissionRequest.Operation.CONNECT,
                new Target(type, access.namespace(), access.name()),
                access.subresource(),
                options,
                null,
                false,
                new WriteRequestParser.CallRequester(call)));
    }
}
