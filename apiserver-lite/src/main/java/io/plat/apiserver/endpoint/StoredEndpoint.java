package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.resource.DeleteOptions;
import io.plat.apiserver.resource.ObjectBody;
import io.plat.apiserver.resource.ResourceOperations;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.Result;
import io.plat.apiserver.resource.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Objects that are stored: create, get, list, update, patch, delete, and delete of a collection. */
final class StoredEndpoint {
    private final ResourceOperations operations;
    private final Bodies bodies;

    StoredEndpoint(ResourceOperations operations, Bodies bodies) {
        this.operations = operations;
        this.bodies = bodies;
    }

    boolean readsFromMemory() {
        return operations.readsFromMemory();
    }

    /** Does what the verb of an admitted request says; the type answers that verb. */
    Answer answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Representation form = Negotiation.objects(Preferences.of(call.incoming()), type);
        boolean individual = !access.name().isEmpty();
        QueryParameters query = call.info().query();
        // A namespace is not below itself, though its requests have it as their namespace attribute.
        String namespace = type.namespaced() ? access.namespace() : "";
        Target target = new Target(type, namespace, individual ? access.name() : "");
        Result result = switch (access.verb()) {
            case "get" -> operations.get(target, query.first("resourceVersion").orElse(""));
            // The name, if there is one, is a field selector's.
            case "list" -> operations.list(new Target(type, namespace, ""), RequestOptions.list(query));
            case "create" -> {
                requireAllowed(!individual);
                yield operations.create(target, object(call, type), RequestOptions.write("CreateOptions", query));
            }
            case "update" -> {
                requireAllowed(individual);
                yield operations.update(target, object(call, type), RequestOptions.write("UpdateOptions", query));
            }
            case "patch" -> {
                requireAllowed(individual);
                PatchFormat format = Bodies.patchFormat(call);
                yield operations.patch(target, format, bodies.whole(call), RequestOptions.write("PatchOptions", query));
            }
            case "delete" -> operations.delete(target, deletion(call, type));
            case "deletecollection" ->
                operations.deleteCollection(target, RequestOptions.list(query), deletion(call, type));
            default -> throw Failures.methodNotAllowed();
        };
        return answer(form, result);
    }

    private static void requireAllowed(boolean allowed) throws StatusException {
        if (!allowed) {
            throw Failures.methodNotAllowed();
        }
    }

    private ObjectNode object(Call call, ResourceType type) throws StatusException {
        return ObjectBody.json(type, bodies.json(call, type));
    }

    private DeleteOptions deletion(Call call, ResourceType type) throws StatusException {
        byte[] body = bodies.deleteOptions(call, type);
        ObjectNode options = body.length == 0 ? JsonNodeFactory.instance.objectNode() : ObjectBody.json(type, body);
        return RequestOptions.delete(call.info().query(), options);
    }

    private static Answer answer(Representation form, Result result) throws StatusException {
        return switch (result) {
            case Result.One one -> warned(answer(form, one.code(), Body.of(form.object(one.object()))), one.warnings());
            case Result.Many many -> answer(form, many.code(), form.list(many.list()));
            case Result.Deleted deleted ->
                answer(form, deleted.code(), Body.of(form.document(Representation.STATUS, SuccessStatus.of(deleted))));
        };
    }

    private static Answer answer(Representation form, int code, Body body) {
        return new Answer(code, form.contentType(), Map.of(), body);
    }

    /** RFC 9111 dropped the header field, but it is how clients of the field are told. */
    private static Answer warned(Answer answer, List<String> warnings) {
        return warnings.isEmpty()
                ? answer
                : answer.with(
                        "Warning",
                        warnings.stream().map(StoredEndpoint::warning).toList());
    }

    private static String warning(String text) {
        StringBuilder quoted = new StringBuilder("299 - \"");
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b == '"' || b == '\\') {
                quoted.append('\\').append((char) b);
            } else {
                // A header field holds no line ends, and what is not ASCII has no agreed meaning there.
                quoted.append(b >= ' ' && b < 0x7f ? (char) b : '?');
            }
        }
        return quoted.append('"').toString();
    }
}
