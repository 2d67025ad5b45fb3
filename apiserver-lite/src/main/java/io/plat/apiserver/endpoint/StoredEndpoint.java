package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.AuthorizationFilter;
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
import io.plat.apiserver.resource.ResourceType.Subresource;
import io.plat.apiserver.resource.Result;
import io.plat.apiserver.resource.Sent;
import io.plat.apiserver.resource.Target;
import io.plat.apiserver.resource.WriteOptions;
import io.plat.apiserver.roles.escalation.EscalationGuard;
import io.plat.engine.Authorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Objects that are stored: create, get, list, update, patch, delete, and delete of a collection. */
final class StoredEndpoint {
    private static final String CUSTOM_PATCHES =
            String.join(", ", PatchFormat.JSON.mediaType(), PatchFormat.MERGE.mediaType());

    private final ResourceOperations operations;
    private final Authorizer authorizer;
    private final EscalationGuard escalation;
    private final Bodies bodies;

    StoredEndpoint(ResourceOperations operations, Authorizer authorizer, EscalationGuard escalation, Bodies bodies) {
        this.operations = operations;
        this.authorizer = authorizer;
        this.escalation = escalation;
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
        Optional<Subresource> part = type.subresource(access.subresource());
        // A namespace is not below itself, though its requests have it as their namespace attribute.
        String namespace = type.namespaced() ? access.namespace() : "";
        Target target = new Target(type, namespace, individual ? access.name() : "");
        Result result = switch (access.verb()) {
            case "get" -> operations.get(target, query.first("resourceVersion").orElse(""));
            // The name, if there is one, is a field selector's.
            case "list" -> operations.list(new Target(type, namespace, ""), RequestOptions.list(query));
            case "create" -> {
                requireAllowed(!individual);
                yield operations.create(target, object(call, type), options(call, "CreateOptions"));
            }
            case "update" -> {
                requireAllowed(individual);
                Sent body = object(call, type);
                WriteOptions options = options(call, "UpdateOptions");
                yield part.isPresent()
                        ? operations.update(target, part.get(), body, options)
                        : operations.update(target, body, options, () -> admitCreation(call, access));
            }
            case "patch" -> {
                requireAllowed(individual);
                yield Bodies.applies(call) ? apply(call, target, part, access) : patch(call, target, part);
            }
            case "delete" -> operations.delete(target, deletion(call, type));
            case "deletecollection" ->
                operations.deleteCollection(target, RequestOptions.list(query), deletion(call, type));
            default -> throw Failures.methodNotAllowed();
        };
        @Nullable Audited audited = call.audited();
        if (audited != null && result instanceof Result.Deleted deleted) {
            audited.succeeded(
                    new Details(deleted.name(), deleted.group(), deleted.resource(), deleted.uid(), List.of(), 0));
        }
        if (audited != null && audited.wantsAnswer()) {
            Body plain = answer(Negotiation.plain(), result).body();
            audited.answered(plain.size(), plain::writeTo);
        }
        return advised(type, answer(form, result));
    }

    /** Who may update was let in; who creates by an update has to be allowed that too. */
    private void admitCreation(Call call, ResourceAttributes access) throws StatusException {
        AuthorizationFilter.admit(authorizer, new Attributes(call.user(), asCreation(access)));
    }

    private static ResourceAttributes asCreation(ResourceAttributes update) {
        return new ResourceAttributes(
                update.namespace(),
                "create",
                update.group(),
                update.version(),
                update.resource(),
                update.subresource(),
                update.name());
    }

    private Result patch(Call call, Target target, Optional<Subresource> part) throws StatusException {
        PatchFormat format = Bodies.patchFormat(call);
        if (format == PatchFormat.STRATEGIC_MERGE && shapesItself(target.type())) {
            // There are no merge keys that clients would know of.
            throw Failures.unsupportedMediaType(CUSTOM_PATCHES);
        }
        byte[] patch = bodies.whole(call);
        WriteOptions options = options(call, "PatchOptions");
        return part.isPresent()
                ? operations.patch(target, part.get(), format, patch, options)
                : operations.patch(target, format, patch, options);
    }

    private Result apply(Call call, Target target, Optional<Subresource> part, ResourceAttributes access)
            throws StatusException {
        Sent body = ObjectBody.json(target.type(), bodies.applied(call));
        WriteOptions options = RequestOptions.apply(call.info().query(), agent(call))
                .checking(escalation.of(call.user()))
                .of(call.user());
        return part.isPresent()
                ? operations.apply(target, part.get(), body, options)
                : operations.apply(target, body, options, () -> admitCreation(call, access));
    }

    private static String agent(Call call) {
        return call.incoming().header("User-Agent");
    }

    /** Every write that a request asks for is checked against what its user holds. */
    private WriteOptions options(Call call, String kind) throws StatusException {
        return RequestOptions.write(kind, call.info().query(), agent(call))
                .checking(escalation.of(call.user()))
                .of(call.user());
    }

    private static void requireAllowed(boolean allowed) throws StatusException {
        if (!allowed) {
            throw Failures.methodNotAllowed();
        }
    }

    private Sent object(Call call, ResourceType type) throws StatusException {
        return ObjectBody.json(type, bodies.json(call, type));
    }

    private DeleteOptions deletion(Call call, ResourceType type) throws StatusException {
        byte[] body = bodies.deleteOptions(call, type);
        ObjectNode options = body.length == 0
                ? JsonNodeFactory.instance.objectNode()
                : ObjectBody.json(type, body).object();
        return RequestOptions.delete(call.info().query(), options);
    }

    /** Whether a type was defined at run time: it has no binary form, and no strategic merge. */
    private static boolean shapesItself(ResourceType type) {
        return type.form() != null && type.form().shapes();
    }

    /** Whoever uses a version that is deprecated is told each time. */
    private static Answer advised(ResourceType type, Answer answer) {
        Optional<String> warning =
                type.form() == null ? Optional.empty() : type.form().warning();
        if (warning.isEmpty()) {
            return answer;
        }
        List<String> all = new ArrayList<>(WarningHeader.values(List.of(warning.get())));
        all.addAll(answer.headers().getOrDefault(WarningHeader.NAME, List.of()));
        return answer.with(WarningHeader.NAME, all);
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

    private static Answer warned(Answer answer, List<String> warnings) {
        return warnings.isEmpty() ? answer : answer.with(WarningHeader.NAME, WarningHeader.values(warnings));
    }
}
