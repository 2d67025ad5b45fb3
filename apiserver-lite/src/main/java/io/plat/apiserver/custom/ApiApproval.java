package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.custom.Conditions.Condition;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import org.jspecify.annotations.Nullable;

/**
 * Approval of a definition in a protected group, by annotation: a URL is an approval, and a text that begins with {@code unapproved}
 * bypasses it.
 */
enum ApiApproval {
    MISSING("MissingAnnotation"),
    INVALID("InvalidAnnotation"),
    BYPASSED("UnapprovedAnnotation"),
    APPROVED("ApprovedAnnotation");

    private static final String ANNOTATION = "api-approved.kubernetes.io";
    private static final String REQUIRED = "protected groups must have approval annotation \"" + ANNOTATION + "\"";
    private static final String REFERENCE = ", see https://github.com/kubernetes/enhancements/pull/1111";

    /** Groups of Kubernetes, and of this API under its other name. */
    private static final Pattern PROTECTED =
            Pattern.compile("(?:.*\\.)?(?:k8s\\.io|kubernetes\\.io|plat\\.io|platform\\.io)");

    private static final Pattern URL =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/?\\s[:cntrl:]]+(?:[/?][^[:cntrl:]]*)?");

    private final String reason;

    ApiApproval(String reason) {
        this.reason = reason;
    }

    private static boolean isProtected(JsonNode definition) {
        return PROTECTED
                .matcher(definition.path("spec").path("group").asText(""))
                .matches();
    }

    private static String text(JsonNode definition) {
        return definition.path("metadata").path("annotations").path(ANNOTATION).asText("");
    }

    private static ApiApproval of(JsonNode definition) {
        String text = text(definition);
        if (text.isEmpty()) {
            return MISSING;
        }
        if (text.startsWith("unapproved")) {
            return BYPASSED;
        }
        return URL.matcher(text).matches() ? APPROVED : INVALID;
    }

    /** Requires an approval in a protected group, unless an update leaves it unchanged. */
    static void check(ObjectNode definition, @Nullable ObjectNode before, Causes causes) {
        ApiApproval approval = of(definition);
        if (!isProtected(definition) || (before != null && of(before) == approval)) {
            return;
        }
        FieldPath at = FieldPath.of("metadata.annotations").key(ANNOTATION);
        switch (approval) {
            case MISSING -> causes.required(at, approval.message(""));
            case INVALID -> causes.invalid(at, FieldErrorMessages.quoted(text(definition)), approval.message(""));
            case BYPASSED, APPROVED -> {}
        }
    }

    static void setCondition(ObjectNode definition, String now) {
        if (isProtected(definition)) {
            ApiApproval approval = of(definition);
            new Conditions(definition)
                    .set(
                            new Condition(
                                    "KubernetesAPIApprovalPolicyConformant",
                                    approval == APPROVED,
                                    approval.reason,
                                    approval.message(text(definition))),
                            now);
        }
    }

    private String message(String text) {
        return switch (this) {
            case MISSING -> REQUIRED + REFERENCE;
            case INVALID -> REQUIRED + " with either a URL or a reason starting with \"unapproved\"" + REFERENCE;
            case BYPASSED -> "not approved: " + FieldErrorMessages.quoted(text);
            case APPROVED -> "approved in " + text;
        };
    }
}
