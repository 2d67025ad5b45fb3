package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.audit.AuditRecord;
import io.plat.apiserver.filter.AuthorizationFilter;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.operations.PodOperations;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.operations.ScaleOperations;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.Body;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.selector.Selection;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import io.plat.engine.Authorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stored objects: create, get, list, update, patch, delete, and deletecollection.
 *
 * @param ignoresRoles whether stored role objects grant nothing
 */
record StoredEndpoint(
        ResourceOperations operations, Authorizer authorizer, WriteRequestParser parser, BooleanSupplier ignoresRoles) {
    private static final Set<String> WRITES = Set.of("create", "update", "patch");
    private static final String PODS_PRESERVED = "child pods are preserved by default when jobs are deleted; set"
            + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";
    private static final String ROLES_IGNORED =
            "no authorization mode of this server reads RBAC objects: the object grants"
                    + " access only through a decider that follows this server";

    boolean readsFromMemory() {
        return operations.readsFromMemory();
    }

    /** Performs the verb of an admitted request, which the type supports. */
    ApiResponse answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Representation form = Negotiation.objects(Preferences.of(call.incoming()), type, access.subresource());
        boolean individual = !access.name().isEmpty();
        QueryParameters query = call.info().query();
        @Nullable Subresource part = type.subresource(access.subresource()).orElse(null);
        // The namespace attribute of a request for a namespace is the namespace itself.
        String namespace = type.namespaced() ? access.namespace() : "";
        Target target = new Target(type, namespace, individual ? access.name() : "");
        Result result = switch (access.verb()) {
            case "get" -> operations.get(target, query.first("resourceVersion").orElse(""));
            // A name stems from a field selector.
            case "list" -> operations.list(new Target(type, namespace, ""), RequestOptions.list(query));
            case "create" -> {
                requireAllowed(!individual);
                WriteOptions options = parser.options(call, "CreateOptions");
                yield operations.create(target, parser.object(call, type), options);
            }
            case "update" -> {
                requireAllowed(individual);
                WriteOptions options = parser.options(call, "UpdateOptions");
                ParsedObject body = parser.object(call, type);
                yield operations.update(target, part, body, options, creationCheck(call, access));
            }
            case "patch" -> {
                requireAllowed(individual);
                yield RequestBodies.applies(call) ? apply(call, target, part, access) : patch(call, target, part);
            }
            case "delete" ->
                operations.delete(target, deletion(call, type), new WriteRequestParser.CallRequester(call));
            case "deletecollection" -> {
                ListOptions selection = RequestOptions.list(query);
                // A malformed selector is reported before the body.
                Selection.parse(type, selection.labelSelector(), selection.fieldSelector());
                yield operations.deleteCollection(
                        target, selection, deletion(call, type), new WriteRequestParser.CallRequester(call));
            }
            default -> throw ApiErrors.methodNotAllowed();
        };
        return response(call, form, result);
    }

    /** Handles the scale subresource of types with replicas. */
    ApiResponse scale(Call call, Target target, String verb) throws StatusException {
        Representation form = Negotiation.objects(Preferences.of(call.incoming()), ScaleOperations.TYPE);
        ScaleOperations scales = operations.scales();
        Result result = switch (verb) {
            case "get" ->
                scales.get(target, call.info().query().first("resourceVersion").orElse(""));
            case "update" ->
                scales.update(target, parser.object(call, ScaleOperations.TYPE), parser.options(call, "UpdateOptions"));
            case "patch" ->
                RequestBodies.applies(call)
                        ? scales.apply(target, parser.applied(call, ScaleOperations.TYPE), parser.applying(call))
                        : scales.patch(
                                target,
                                WriteRequestParser.patchFormat(call, target.type()),
                                parser.bodies().whole(call),
                                parser.options(call, "PatchOptions"));
            default -> throw ApiErrors.methodNotAllowed();
        };
        return response(call, form, result);
    }

    /** Returns the check of a create by update: the request is authorized for update only, and needs create in addition. */
    private WriteCheck creationCheck(Call call, ResourceAttributes access) {
        return (target, part, after, before) ->
                AuthorizationFilter.admit(authorizer, new Attributes(call.user(), access.withVerb("create")));
    }

    private Result patch(Call call, Target target, @Nullable Subresource part) throws StatusException {
        PatchFormat format = WriteRequestParser.patchFormat(call, target.type());
        WriteOptions options = parser.options(call, "PatchOptions");
        return operations.patch(target, part, format, parser.bodies().whole(call), options);
    }

    private Result apply(Call call, Target target, @Nullable Subresource part, ResourceAttributes access)
            throws StatusException {
        WriteOptions options = parser.applying(call);
        ParsedObject body = parser.applied(call, target.type());
        return operations.apply(target, part, body, options, creationCheck(call, access));
    }

    private static void requireAllowed(boolean allowed) throws StatusException {
        if (!allowed) {
            throw ApiErrors.methodNotAllowed();
        }
    }

    /** Handles {@code pods/NAME/binding}, and the bindings collection, whose object names the pod. */
    ApiResponse bind(Call call, Target pod, ResourceType binding) throws StatusException {
        DocumentResponse response = DocumentResponse.to(call, Representation.STATUS);
        operations.pods().bind(pod, binding, parser.object(call, binding), parser.options(call, "CreateOptions"));
        return response.of(201, success().put("code", 201));
    }

    /** Handles {@code pods/NAME/eviction}. */
    ApiResponse evict(Call call, Target pod) throws StatusException {
        DocumentResponse response = DocumentResponse.to(call, Representation.STATUS);
        operations
                .pods()
                .evict(pod, parser.object(call, PodOperations.EVICTION), parser.options(call, "CreateOptions"));
        return response.of(201, success().put("code", 201));
    }

    /**
     * Admits a request for a connection into a pod. This server opens none, but reports denials by policies first.
     *
     * @throws StatusException if a policy denies it
     */
    void admitConnection(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        QueryParameters query = call.info().query();
        ObjectNode options = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1");
        type.subresource(access.subresource())
                .flatMap(Subresource::operation)
                .ifPresent(operation -> options.put("kind", operation.kind()));
        if (access.subresource().equals("portforward")) {
            ArrayNode ports = options.putArray("ports");
            query.values().getOrDefault("ports", List.of()).stream()
                    .filter(port -> port.matches("[0-9]{1,9}"))
                    .forEach(port -> ports.add(Integer.parseInt(port)));
        } else {
            for (String flag : List.of("stdin", "stdout", "stderr", "tty")) {
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

    private DeleteOptions deletion(Call call, ResourceType type) throws StatusException {
        byte[] body = parser.bodies().deleteOptions(call, type);
        ObjectNode options = body.length == 0
                ? JsonNodeFactory.instance.objectNode()
                : ObjectBody.object(body).object();
        DeleteOptions parsed = RequestOptions.delete(call.info().query(), options);
        if (parsed.propagation() == DeleteOptions.Propagation.UNSPECIFIED
                && type.storage().equals("jobs.batch")) {
            call.warn(PODS_PRESERVED);
        }
        return parsed;
    }

    /** Returns the response with the result of an operation: in the negotiated form, with warnings, and audited. */
    private ApiResponse response(Call call, Representation form, Result result) throws StatusException {
        @Nullable AuditRecord auditRecord = call.auditRecord();
        if (auditRecord != null && result instanceof Result.Deleted deleted) {
            auditRecord.succeeded(
                    new Details(deleted.name(), deleted.group(), deleted.resource(), deleted.uid(), List.of(), 0));
        }
        if (auditRecord != null && auditRecord.wantsResponse()) {
            Body plain = answer(Negotiation.plain(), result).body();
            auditRecord.responseObject(plain.size(), plain::writeTo);
        }
        if (result instanceof Result.One one) {
            one.warnings().forEach(call::warn);
            if (writesWhole(call)) {
                String type = one.object().type().storage();
                Rules.unenforced(type, one.object()::tree).forEach(call::warn);
                if (type.endsWith(".rbac.authorization.k8s.io") && ignoresRoles.getAsBoolean()) {
                    call.warn(ROLES_IGNORED);
                }
            }
        }
        return answer(form, result);
    }

    private static boolean writesWhole(Call call) {
        return call.info().access() instanceof ResourceAttributes access
                && access.subresource().isEmpty()
                && WRITES.contains(access.verb());
    }

    private static ApiResponse answer(Representation form, Result result) throws StatusException {
        return switch (result) {
            case Result.One one ->
                answer(form, one.code(), Body.pinning(one.object()::storedSize, form.answer(one.object())));
            case Result.Many many ->
                answer(form, many.code(), Body.pinning(many.list()::storedSize, form.list(many.list())));
            case Result.Deleted deleted ->
                answer(
                        form,
                        deleted.code(),
                        Body.of(form.document(Representation.STATUS, Json.bytes(deletedStatus(deleted)))));
        };
    }

    private static ObjectNode success() {
        ObjectNode status =
                JsonNodeFactory.instance.objectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success");
    }

    private static ObjectNode deletedStatus(Result.Deleted deleted) {
        ObjectNode status = success();
        ObjectNode details = status.putObject("details").put("name", deleted.name());
        if (!deleted.group().isEmpty()) {
            details.put("group", deleted.group());
        }
        details.put("kind", deleted.resource()).put("uid", deleted.uid());
        return status;
    }

    private static ApiResponse answer(Representation form, int code, Body body) {
        return new ApiResponse(code, form.contentType(), Map.of(), body);
    }
}
