package io.plat.apiserver.resource;

import io.plat.apiserver.schema.ExpressionWords;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Validation of admission policies and of their bindings, with the messages of kube-apiserver. */
final class AdmissionPolicyCheck {
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final int MOST_ANNOTATIONS = 20;
    private static final String NOTHING = "validations or auditAnnotations must contain at least one item";
    private static final String EXCLUSIVE = "name and selector are mutually exclusive";
    private static final List<String> NOT_FOUND_ACTIONS = List.of("Allow", "Deny");

    private AdmissionPolicyCheck() {}

    static void checkValidating(Field policy) {
        Field spec = policy.at("spec");
        policy(spec);
        Field validations = spec.at("validations");
        Field annotations = spec.at("auditAnnotations");
        if (validations.isEmpty() && annotations.isEmpty()) {
            validations.required(NOTHING);
            annotations.required(NOTHING);
        }
        validations.forEach(AdmissionPolicyCheck::validation);
        annotations(annotations, policy.at("metadata").text("name"));
    }

    static void checkMutating(Field spec) {
        policy(spec);
        Field mutations = spec.at("mutations");
        mutations.require("mutations must contain at least one item");
        for (Field mutation : mutations) {
            switch (mutation.text("patchType")) {
                case "ApplyConfiguration" -> patch(mutation.at("applyConfiguration"));
                case "JSONPatch" -> patch(mutation.at("jsonPatch"));
                default -> {}
            }
        }
    }

    private static void policy(Field spec) {
        Field constraints = spec.at("matchConstraints");
        if (constraints.isMissing()) {
            constraints.required("");
        } else {
            matched(constraints);
            constraints.at("resourceRules").require("");
        }
        if (spec.has("paramKind")) {
            parameters(spec.at("paramKind"));
        }
        AdmissionRuleCheck.checkConditions(spec.at("matchConditions"));
        spec.at("variables").forEach(AdmissionPolicyCheck::variable);
    }

    private static void variable(Field variable) {
        Field name = variable.at("name");
        if (name.text().isBlank()) {
            name.required("name is not specified");
        } else if (!ExpressionWords.isIdentifier(name.text())) {
            name.invalid("name is not a valid CEL identifier");
        }
        AdmissionRuleCheck.requireText(variable.at("expression"), "expression is not specified");
    }

    private static void matched(Field match) {
        SelectorCheck.check(match.at("namespaceSelector"));
        SelectorCheck.check(match.at("objectSelector"));
        AdmissionRuleCheck.check(match.at("resourceRules"));
        AdmissionRuleCheck.check(match.at("excludeResourceRules"));
    }

    private static void annotations(Field annotations, String policy) {
        if (annotations.value().size() > MOST_ANNOTATIONS) {
            annotations.invalidValue("must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        for (Field annotation : annotations) {
            Field key = annotation.at("key");
            key.qualifiedName(policy + "/" + key.text());
            AdmissionRuleCheck.requireText(annotation.at("valueExpression"), "valueExpression is not specified");
            key.unique(keys);
        }
    }

    private static void patch(Field patch) {
        if (patch.isMissing()) {
            patch.required("");
        } else {
            AdmissionRuleCheck.requireText(patch.at("expression"), "");
        }
    }

    private static void validation(Field validation) {
        AdmissionRuleCheck.requireText(validation.at("expression"), "expression is not specified");
        Field message = validation.at("message");
        if (!message.isEmpty() && message.text().isBlank()) {
            message.invalid("message must be non-empty if specified");
        } else if (message.text().strip().indexOf('\n') >= 0) {
            message.invalid("message must not contain line breaks");
        }
        Field expression = validation.at("messageExpression");
        if (!expression.isEmpty() && expression.text().isBlank()) {
            expression.invalid("must be non-empty if specified");
        }
        validation.at("reason").oneOf(REASONS);
    }

    /** Checks what a policy says its parameters are. */
    private static void parameters(Field source) {
        if (source.at("apiVersion").require("")) {
            version(source.at("apiVersion"));
        }
        Field kind = source.at("kind");
        if (kind.require("")) {
            List<String> problems = NameRule.DNS_1035.problems(kind.text().toLowerCase(Locale.ROOT));
            if (!problems.isEmpty()) {
                kind.invalid("may have mixed case, but should otherwise match: " + String.join(",", problems));
            }
        }
    }

    private static void version(Field field) {
        String text = field.text();
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
            field.invalid("unexpected GroupVersion string: " + text);
            return;
        }
        if (slash > 0) {
            part(field, text.substring(0, slash), NameRule.SUBDOMAIN);
        }
        String version = text.substring(slash + 1);
        if (version.isEmpty()) {
            field.invalid("version must be specified");
        } else {
            part(field, version, NameRule.DNS_1035);
        }
    }

    private static void part(Field field, String part, NameRule rule) {
        List<String> problems = rule.problems(part);
        if (!problems.isEmpty()) {
            field.invalid(part, String.join(",", problems));
        }
    }

    static void checkBinding(Field spec, boolean validating) {
        spec.at("policyName").requiredName(NameRule.SUBDOMAIN);
        matched(spec.at("matchResources"));
        if (spec.has("paramRef")) {
            reference(spec.at("paramRef"));
        }
        if (validating) {
            actions(spec.at("validationActions"));
        }
    }

    private static void reference(Field reference) {
        Field name = reference.at("name");
        Field selector = reference.at("selector");
        name.optionalName(NameRule.PATH_SEGMENT);
        if (!name.isEmpty() && !selector.isMissing()) {
            name.forbidden(EXCLUSIVE);
            selector.forbidden(EXCLUSIVE);
        } else if (name.isEmpty() && selector.isMissing()) {
            reference.required("one of name or selector must be specified");
        }
        SelectorCheck.check(selector);
        reference.at("parameterNotFoundAction").requiredOneOf(NOT_FOUND_ACTIONS);
    }

    private static void actions(Field actions) {
        actions.require("at least one validation action is required");
        Set<String> seen = new HashSet<>();
        actions.forEach(action -> action.unique(seen));
        if (seen.containsAll(List.of("Deny", "Warn"))) {
            actions.invalidValue(
                    "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                            + " response and headers serves no purpose)");
        }
    }
}
