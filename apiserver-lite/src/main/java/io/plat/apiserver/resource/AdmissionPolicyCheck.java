package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.ExpressionWords;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with rules of admission that are expressions, and with where they hold: in the words of existing servers. */
final class AdmissionPolicyCheck {
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final int MOST_ANNOTATIONS = 20;
    private static final String NOTHING = "validations or auditAnnotations must contain at least one item";

    private final JsonNode spec;
    private final Causes causes;

    private AdmissionPolicyCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks a policy that refuses. */
    static void checkValidating(JsonNode policy, Causes causes) {
        AdmissionPolicyCheck check = new AdmissionPolicyCheck(policy.path("spec"), causes);
        check.policy();
        check.validations();
        check.annotations(Json.text(policy.path("metadata"), "name"));
    }

    /** Checks a policy that changes what is written. */
    static void checkMutating(JsonNode policy, Causes causes) {
        AdmissionPolicyCheck check = new AdmissionPolicyCheck(policy.path("spec"), causes);
        check.policy();
        if (check.spec.path("mutations").isEmpty()) {
            causes.required("spec.mutations", "mutations must contain at least one item");
        }
        check.mutations();
    }

    private void policy() {
        JsonNode constraints = spec.path("matchConstraints");
        if (constraints.isMissingNode()) {
            causes.required("spec.matchConstraints", "");
        } else {
            matched("spec.matchConstraints", constraints);
            if (constraints.path("resourceRules").isEmpty()) {
                causes.required("spec.matchConstraints.resourceRules", "");
            }
        }
        if (spec.has("paramKind")) {
            PolicyParameters.checkKind(spec.path("paramKind"), causes);
        }
        AdmissionRuleCheck.checkConditions("spec.matchConditions", spec.path("matchConditions"), causes);
        for (int i = 0; i < spec.path("variables").size(); i++) {
            variable(i, spec.path("variables").path(i));
        }
    }

    private void variable(int index, JsonNode variable) {
        String name = Json.text(variable, "name");
        if (name.isBlank()) {
            causes.required("spec.variables[" + index + "].name", "name is not specified");
        } else if (!ExpressionWords.isIdentifier(name)) {
            causes.invalid("spec.variables[" + index + "].name", name, "name is not a valid CEL identifier");
        }
        if (Json.text(variable, "expression").isBlank()) {
            causes.required("spec.variables[" + index + "].expression", "expression is not specified");
        }
    }

    private void matched(String field, JsonNode match) {
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            SelectorCheck.check(field + "." + selector, match.path(selector), causes);
        }
        for (String rules : List.of("resourceRules", "excludeResourceRules")) {
            AdmissionRuleCheck.check(field + "." + rules, match.path(rules), causes);
        }
    }

    private void validations() {
        JsonNode validations = spec.path("validations");
        JsonNode annotations = spec.path("auditAnnotations");
        if (validations.isEmpty() && annotations.isEmpty()) {
            causes.required("spec.validations", NOTHING);
            causes.required("spec.auditAnnotations", NOTHING);
        }
        for (int i = 0; i < validations.size(); i++) {
            validation("spec.validations[" + i + "]", validations.path(i));
        }
    }

    private void annotations(String policy) {
        JsonNode annotations = spec.path("auditAnnotations");
        if (annotations.size() > MOST_ANNOTATIONS) {
            causes.invalidValue(
                    "spec.auditAnnotations",
                    annotations,
                    "must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            String field = "spec.auditAnnotations[" + i + "]";
            String key = Json.text(annotations.path(i), "key");
            causes.qualifiedName(field + ".key", policy + "/" + key);
            if (Json.text(annotations.path(i), "valueExpression").isBlank()) {
                causes.required(field + ".valueExpression", "valueExpression is not specified");
            }
            if (!keys.add(key)) {
                causes.duplicate(field + ".key", key);
            }
        }
    }

    private void mutations() {
        JsonNode mutations = spec.path("mutations");
        for (int i = 0; i < mutations.size(); i++) {
            switch (Json.text(mutations.path(i), "patchType")) {
                case "ApplyConfiguration" -> patch(i, mutations.path(i), "applyConfiguration");
                case "JSONPatch" -> patch(i, mutations.path(i), "jsonPatch");
                default -> {}
            }
        }
    }

    private void patch(int index, JsonNode mutation, String kind) {
        String field = "spec.mutations[" + index + "]." + kind;
        if (!mutation.has(kind)) {
            causes.required(field, "");
        } else if (Json.text(mutation.path(kind), "expression").isBlank()) {
            causes.required(field + ".expression", "");
        }
    }

    private void validation(String field, JsonNode validation) {
        if (Json.text(validation, "expression").isBlank()) {
            causes.required(field + ".expression", "expression is not specified");
        }
        String message = Json.text(validation, "message");
        if (!message.isEmpty() && message.isBlank()) {
            causes.invalid(field + ".message", message, "message must be non-empty if specified");
        } else if (message.strip().indexOf('\n') >= 0) {
            causes.invalid(field + ".message", message, "message must not contain line breaks");
        }
        String expression = Json.text(validation, "messageExpression");
        if (!expression.isEmpty() && expression.isBlank()) {
            causes.invalid(field + ".messageExpression", expression, "must be non-empty if specified");
        }
        String reason = Json.text(validation, "reason");
        causes.oneOf(field + ".reason", reason, REASONS);
    }

    /** Checks where a policy holds, and with which parameters. */
    static void checkBinding(JsonNode binding, boolean validating, Causes causes) {
        JsonNode spec = binding.path("spec");
        AdmissionPolicyCheck check = new AdmissionPolicyCheck(spec, causes);
        String policy = Json.text(spec, "policyName");
        if (policy.isEmpty()) {
            causes.required("spec.policyName", "");
        } else {
            causes.name("spec.policyName", policy, NameRule.SUBDOMAIN);
        }
        check.matched("spec.matchResources", spec.path("matchResources"));
        if (spec.has("paramRef")) {
            PolicyParameters.checkReference(spec.path("paramRef"), causes);
        }
        if (validating) {
            check.actions(spec.path("validationActions"));
        }
    }

    private void actions(JsonNode list) {
        List<String> actions = MetadataRules.texts(list);
        if (actions.isEmpty()) {
            causes.required("spec.validationActions", "at least one validation action is required");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < actions.size(); i++) {
            if (!seen.add(actions.get(i))) {
                causes.duplicate("spec.validationActions[" + i + "]", actions.get(i));
            }
        }
        if (seen.containsAll(List.of("Deny", "Warn"))) {
            causes.invalidValue(
                    "spec.validationActions",
                    list,
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
    }
}
