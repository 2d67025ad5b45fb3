package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/** What is wrong with where the parameters of policies of admission are from: in the words of existing servers. */
final class PolicyParameters {
    private static final List<String> ACTIONS = List.of("Allow", "Deny");

    private PolicyParameters() {}

    /** Checks what a policy says parameters are. */
    static void checkKind(JsonNode source, Causes causes) {
        String version = Json.text(source, "apiVersion");
        if (version.isEmpty()) {
            causes.required("spec.paramKind.apiVersion", "");
        } else {
            checkVersion(version, causes);
        }
        String kind = Json.text(source, "kind");
        if (kind.isEmpty()) {
            causes.required("spec.paramKind.kind", "");
            return;
        }
        List<String> problems = NameRule.DNS_1035.problems(kind.toLowerCase(Locale.ROOT));
        if (!problems.isEmpty()) {
            causes.invalid(
                    "spec.paramKind.kind",
                    kind,
                    "may have mixed case, but should otherwise match: " + String.join(",", problems));
        }
    }

    private static void checkVersion(String text, Causes causes) {
        int slash = text.indexOf('/');
        if (slash != text.lastIndexOf('/')) {
            causes.invalid("spec.paramKind.apiVersion", text, "unexpected GroupVersion string: " + text);
            return;
        }
        if (slash > 0) {
            check(text.substring(0, slash), NameRule.SUBDOMAIN, causes);
        }
        String version = text.substring(slash + 1);
        if (version.isEmpty()) {
            causes.invalid("spec.paramKind.apiVersion", text, "version must be specified");
        } else {
            check(version, NameRule.DNS_1035, causes);
        }
    }

    private static void check(String part, NameRule rule, Causes causes) {
        List<String> problems = rule.problems(part);
        if (!problems.isEmpty()) {
            causes.invalid("spec.paramKind.apiVersion", part, String.join(",", problems));
        }
    }

    /** Checks which parameters a binding says are meant. */
    static void checkReference(JsonNode reference, Causes causes) {
        String name = Json.text(reference, "name");
        if (!name.isEmpty()) {
            causes.name("spec.paramRef.name", name, NameRule.PATH_SEGMENT);
        }
        if (!name.isEmpty() && reference.has("selector")) {
            causes.forbidden("spec.paramRef.name", "name and selector are mutually exclusive");
            causes.forbidden("spec.paramRef.selector", "name and selector are mutually exclusive");
        } else if (name.isEmpty() && !reference.has("selector")) {
            causes.required("spec.paramRef", "one of name or selector must be specified");
        }
        SelectorCheck.check("spec.paramRef.selector", reference.path("selector"), causes);
        String otherwise = Json.text(reference, "parameterNotFoundAction");
        if (otherwise.isEmpty()) {
            causes.required("spec.paramRef.parameterNotFoundAction", "");
        } else {
            causes.oneOf("spec.paramRef.parameterNotFoundAction", otherwise, ACTIONS);
        }
    }
}
