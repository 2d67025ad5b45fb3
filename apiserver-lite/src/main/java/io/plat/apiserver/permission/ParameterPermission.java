package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Permission check of admission policy parameters, which policies reveal to clients. Writing a policy requires permission to get all
 * objects of its parameter kind; writing a binding requires permission to get, or list, the parameters to which it refers.
 */
record ParameterPermission(PermissionChecks checks, ServedTypes types, ResourceOperations operations) {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String POLICIES = "admissionpolicies";
    private static final String BINDINGS = "admissionpolicybindings";
    private static final String ANY = "*";

    void admit(Target target, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        JsonNode spec = after.path("spec");
        JsonNode earlier = before == null ? MissingNode.getInstance() : before.path("spec");
        // Any change may reveal the parameters, not only that of the reference.
        if (!target.type().group().equals(GROUP) || spec.equals(earlier)) {
            return;
        }
        String resource = target.type().resource();
        if (resource.endsWith(POLICIES) && spec.has("paramKind")) {
            require(target, spec.path("paramKind"), "paramKind", "get", ANY, ANY);
        } else if (resource.endsWith(BINDINGS)) {
            JsonNode reference = spec.path("paramRef");
            if (reference.isObject()) {
                String name = reference.path("name").asText("");
                String namespace = reference.path("namespace").asText("");
                String verb = name.isEmpty() ? "list" : "get";
                require(target, kind(target, spec), "paramRef", verb, namespace, name);
            }
        }
    }

    /** Returns the parameter kind of the bound policy; a missing node if it does not exist yet. */
    private JsonNode kind(Target binding, JsonNode spec) throws StatusException {
        String resource = binding.type().resource().replace(BINDINGS, POLICIES);
        Optional<ResourceType> policies = types.find(GROUP, binding.type().version(), resource);
        if (policies.isEmpty()) {
            return MissingNode.getInstance();
        }
        return operations
                .find(new Target(policies.get(), "", spec.path("policyName").asText("")))
                .map(policy -> policy.path("spec").path("paramKind"))
                .orElse(MissingNode.getInstance());
    }

    /** Requires a permission on a kind; on all matching kinds, if it is unknown. */
    private void require(Target target, JsonNode kind, String field, String verb, String namespace, String name)
            throws StatusException {
        String apiVersion = kind.path("apiVersion").asText("");
        int slash = apiVersion.indexOf('/');
        String group = apiVersion.isEmpty() ? ANY : apiVersion.substring(0, Math.max(0, slash));
        String version = apiVersion.isEmpty() ? ANY : apiVersion.substring(slash + 1);
        String resource = types.types(group, version).stream()
                .filter(type -> type.kind().equals(kind.path("kind").asText()) && !type.virtual())
                .map(ResourceType::resource)
                .findFirst()
                .orElse(ANY);
        var access = new ResourceAttributes(namespace, verb, group, version, resource, "", name);
        if (checks.refusal(List.of(access)).isPresent()) {
            String detail = "user " + FieldErrorMessages.quoted(checks.user().name()) + " must have \"" + verb
                    + "\" permission on all objects of the referenced " + field;
            throw ApiErrors.invalid(
                    target.type(),
                    target.name(),
                    causes -> causes.field("spec." + field, "").forbidden(detail));
        }
    }
}
