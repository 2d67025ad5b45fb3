package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with rules of admission that are expressions, and with where they hold: in the words of existing servers. */
final class AdmissionPolicyCheck {
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
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
    }

    /** Checks a policy that changes what is written. */
    static void checkMutating(JsonNode policy, Causes causes) {
        AdmissionPolicyCheck check = new AdmissionPolicyCheck(policy.path("spec"), causes);
        check.policy();
        if (check.spec.path("mutations").isEmpty()) {
            causes.required("spec.mutations", "mutations must contain at least one item");
        }
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
        for (String field : List.of("apiVersion", "kind")) {
            if (spec.has("paramKind")
                    && Json.text(spec.path("paramKind"), field).isEmpty()) {
                causes.required("spec.paramKind." + field, "");
            }
        }
        AdmissionRuleCheck.checkConditions("spec.matchConditions", spec.path("matchConditions"), causes);
        for (int i = 0; i < spec.path("variables").size(); i++) {
            for (String field : List.of("name", "expression")) {
                if (Json.text(spec.path("variables").path(i), field).isBlank()) {
                    causes.required("spec.variables[" + i + "]." + field, field + " is not specified");
                }
            }
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
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < annotations.size(); i++) {
            String key = Json.text(annotations.path(i), "key");
            if (!keys.add(key)) {
                causes.duplicate("spec.auditAnnotations[" + i + "].key", key);
            }
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
        check.matched("spec.matchResources", spec.path("matchResources"));
        check.parameters(spec.path("paramRef"));
        if (validating) {
            check.actions(spec.path("validationActions"));
        }
    }

    private void parameters(JsonNode reference) {
        if (reference.isMissingNode()) {
            return;
        }
        if (reference.has("name") && reference.has("selector")) {
            causes.forbidden("spec.paramRef.name", "name and selector are mutually exclusive");
            causes.forbidden("spec.paramRef.selector", "name and selector are mutually exclusive");
        } else if (!reference.has("name") && !reference.has("selector")) {
            causes.required("spec.paramRef", "one of name or selector must be specified");
        }
        SelectorCheck.check("spec.paramRef.selector", reference.path("selector"), causes);
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
