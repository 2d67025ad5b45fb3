package io.plat.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.admission.CompiledPolicy.Binding;
import io.plat.apiserver.expression.AuthorizerVariable;
import io.plat.apiserver.expression.PolicyProgram;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.selector.LabelSelector;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.cel.CostBudget;
import io.plat.engine.Authorizer;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evaluation of validating admission policies for one request. Not thread-safe. */
final class PolicyEvaluation {
    private static final String FAILURE = "validation.policy.admission.k8s.io/validation_failure";
    private static final String NAMESPACES = "namespaces";

    private final AdmissionRequest request;
    private final Snapshot snapshot;
    private final AllTypes types;
    private final Authorizer authorizer;
    private final List<ResourceType> versions;
    private final CostBudget budget = CostBudget.ofRequest(RequestMemory.current());
    private @Nullable RequestVariables variables;
    private final ArrayNode audited = JsonNodeFactory.instance.arrayNode();
    private @Nullable Status denial;

    PolicyEvaluation(AdmissionRequest request, Snapshot snapshot, AllTypes types, Authorizer authorizer) {
        this.request = request;
        this.snapshot = snapshot;
        this.types = types;
        this.authorizer = authorizer;
        this.versions = types.versions(request.resource());
    }

    /** Evaluates a policy with its bindings; {@link #conclude()} throws the denial. */
    void evaluate(CompiledPolicy policy, List<Binding> bindings) throws StatusException {
        if (bindings.isEmpty()) {
            return;
        }
        Optional<ResourceType> version = policy.match().match(request, versions, this::namespaceLabels);
        if (version.isEmpty()) {
            return;
        }
        Optional<ResourceType> params = Optional.empty();
        JsonNode kind = policy.paramKind();
        if (!kind.isMissingNode()) {
            String apiVersion = kind.path("apiVersion").asText("");
            params = types.ofKind(apiVersion, kind.path("kind").asText(""));
            if (params.isEmpty()) {
                String described = apiVersion + ", Kind=" + kind.path("kind").asText("");
                configurationError(
                        policy,
                        null,
                        "failed to configure policy: failed to find resource referenced by paramKind: '" + described
                                + "'");
                return;
            }
        }
        Map<String, Set<String>> annotations = new LinkedHashMap<>();
        PolicyProgram.@Nullable Outcome withoutParameters = null;
        for (Binding binding : bindings) {
            if (binding.match().match(request, versions, this::namespaceLabels).isEmpty()) {
                continue;
            }
            List<Optional<ObjectNode>> parameters;
            try {
                parameters = parameters(params, binding.paramRef());
            } catch (StatusException unusable) {
                String problem = unusable.status().message();
                configurationError(policy, binding, "failed to configure binding: " + problem);
                continue;
            }
            for (Optional<ObjectNode> one : parameters) {
                // Without parameters the outcome is the same for all bindings.
                PolicyProgram.Outcome outcome = one.isEmpty() && withoutParameters != null
                        ? withoutParameters
                        : policy.program().evaluate(variables().as(version.get(), one.orElse(null)), budget);
                withoutParameters = one.isEmpty() ? outcome : withoutParameters;
                conclude(policy, binding, outcome, annotations);
            }
        }
        annotations.forEach(
                (key, values) -> request.requester().annotate(policy.name() + "/" + key, String.join(", ", values)));
    }

    /**
     * Returns the parameters, for each of which the policy is evaluated; an empty element means no parameter.
     *
     * @param kind type of the parameters; empty for none
     * @param reference the binding's {@code paramRef}
     * @throws StatusException if the parameters cannot be determined
     */
    private List<Optional<ObjectNode>> parameters(Optional<ResourceType> kind, JsonNode reference)
            throws StatusException {
        if (kind.isEmpty() || reference.isMissingNode()) {
            return List.of(Optional.empty());
        }
        ResourceType type = kind.get();
        String namespace = parameterNamespace(type, reference);
        var parameters = new ArrayList<Optional<ObjectNode>>();
        String name = reference.path("name").asText("");
        if (!name.isEmpty()) {
            snapshot.find(type.storage(), namespace, name)
                    .ifPresent(entry -> parameters.add(
                            Optional.of(ServedObject.of(type, entry).tree())));
        } else if (namespace.isEmpty() || Key.isPart(namespace)) {
            LabelSelector selector = LabelSelector.of(reference.path("selector"));
            for (Entry entry :
                    snapshot.page(KeyRange.of(type.storage(), namespace), "", 0).entries()) {
                ObjectNode one = ServedObject.of(type, entry).tree();
                if (selector.matches(ResourceMatch.labels(one))) {
                    parameters.add(Optional.of(one));
                }
            }
        }
        if (parameters.isEmpty()
                && reference.path("parameterNotFoundAction").asText("").equals("Deny")) {
            throw ApiErrors.badRequest("no params found for policy binding with `Deny` parameterNotFoundAction");
        }
        return parameters;
    }

    private String parameterNamespace(ResourceType type, JsonNode reference) throws StatusException {
        String named = reference.path("namespace").asText("");
        if (!type.namespaced()) {
            if (!named.isEmpty()) {
                throw ApiErrors.badRequest("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
            }
            return "";
        }
        String namespace = named.isEmpty() ? request.namespace() : named;
        if (namespace.isEmpty()) {
            throw ApiErrors.badRequest(
                    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
        }
        return namespace;
    }

    private void conclude(
            CompiledPolicy policy,
            Binding binding,
            PolicyProgram.Outcome outcome,
            Map<String, Set<String>> annotations) {
        for (PolicyProgram.Failure failure : outcome.failures()) {
            for (String action : binding.actions()) {
                switch (action) {
                    case "Deny" -> deny(policy, binding, failure.message(), failure.reason());
                    case "Warn" ->
                        request.requester()
                                .warn("Validation failed for ValidatingAdmissionPolicy '" + policy.name()
                                        + "' with binding '" + binding.name() + "': " + failure.message());
                    case "Audit" -> audit(policy, binding, failure);
                    default -> {}
                }
            }
        }
        outcome.annotations()
                .forEach((key, value) -> annotations
                        .computeIfAbsent(key, one -> new LinkedHashSet<>())
                        .add(value));
        for (String error : outcome.annotationErrors()) {
            deny(policy, binding, error, "");
        }
    }

    private void audit(CompiledPolicy policy, Binding binding, PolicyProgram.Failure failure) {
        ObjectNode one = audited.addObject()
                .put("message", failure.message())
                .put("policy", policy.name())
                .put("binding", binding.name())
                .put("expressionIndex", failure.index());
        binding.actions().forEach(one.putArray("validationActions")::add);
    }

    private void configurationError(CompiledPolicy policy, @Nullable Binding binding, String message)
            throws StatusException {
        if (!policy.program().ignoresErrors()) {
            deny(policy, binding, message, "");
        }
    }

    /** Denies the request; only the first denial is reported. */
    private void deny(CompiledPolicy policy, @Nullable Binding binding, String message, String reason) {
        if (denial != null) {
            return;
        }
        String detail = "ValidatingAdmissionPolicy '" + policy.name() + "'"
                + (binding == null ? "" : " with binding '" + binding.name() + "'") + " denied request: " + message;
        ResourceType type = request.resource();
        StatusReason code = switch (reason) {
            case "Unauthorized" -> StatusReason.UNAUTHORIZED;
            case "Forbidden" -> StatusReason.FORBIDDEN;
            case "RequestEntityTooLarge" -> StatusReason.REQUEST_ENTITY_TOO_LARGE;
            default -> StatusReason.INVALID;
        };
        denial = Status.of(code, type.groupResource() + " \"" + name() + "\" is forbidden: " + detail)
                .withDetails(new Status.Details(
                        name(), type.group(), type.resource(), "", List.of(new Status.Cause("", detail, "")), 0));
    }

    private String name() {
        JsonNode object = request.object();
        if (!request.name().isEmpty() || object == null) {
            return request.name();
        }
        String name = object.path("metadata").path("name").asText("");
        return name.isEmpty() ? object.path("metadata").path("generateName").asText("Unknown!") : name;
    }

    /**
     * Ends the evaluation.
     *
     * @throws StatusException if a policy denies the request
     */
    void conclude() throws StatusException {
        if (!audited.isEmpty()) {
            // The last annotation: a policy could write one of the same name.
            request.requester().annotate(FAILURE, audited.toString());
        }
        if (denial != null) {
            throw new StatusException(denial);
        }
    }

    private RequestVariables variables() throws StatusException {
        if (variables == null) {
            boolean isNamespace = request.resource().storage().equals(NAMESPACES);
            variables = new RequestVariables(
                    request,
                    new AuthorizerVariable(request.requester().user(), new AuthorizerVariable.Checks(authorizer)),
                    isNamespace || request.namespace().isEmpty() ? null : namespace(request.namespace()),
                    namespaceType());
        }
        return variables;
    }

    private Map<String, String> namespaceLabels() throws StatusException {
        return ResourceMatch.labels(namespace(request.namespace().isEmpty() ? request.name() : request.namespace()));
    }

    private ObjectNode namespace(String name) throws StatusException {
        Optional<Entry> entry = snapshot.find(NAMESPACES, "", name);
        if (entry.isEmpty()) {
            throw ApiErrors.namespaceNotFound(name);
        }
        return ServedObject.of(namespaceType(), entry.get()).tree();
    }

    private ResourceType namespaceType() {
        return types.of("", "v1")
                .filter(one -> one.storage().equals(NAMESPACES))
                .findFirst()
                .orElseThrow();
    }
}
