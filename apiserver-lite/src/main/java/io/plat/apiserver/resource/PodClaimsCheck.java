package io.plat.apiserver.resource;

import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Validation of the device claims of pods, and of how containers are resized, with the messages of kube-apiserver. */
final class PodClaimsCheck {
    private static final List<String> RESIZED = List.of("cpu", "memory");

    private final Set<String> names = new TreeSet<>();

    /** Checks the claims of the pod. */
    void claims(Field claims) {
        for (Field claim : claims) {
            Field name = claim.at("name");
            if (!name.isEmpty() && !names.add(name.text())) {
                name.duplicate(name.text());
            } else {
                name.optionalName(NameRule.LABEL);
            }
            Field one = claim.at("resourceClaimName");
            Field template = claim.at("resourceClaimTemplateName");
            if (!one.isMissing() && !template.isMissing()) {
                claim.invalidValue(
                        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            } else if (one.isMissing() && template.isMissing()) {
                claim.invalidValue("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
            for (Field kind : List.of(one, template)) {
                if (!kind.isMissing()) {
                    kind.name(NameRule.SUBDOMAIN);
                }
            }
        }
    }

    /** Checks the claims of a container. */
    void used(Field container) {
        Set<String> used = new HashSet<>();
        for (Field claim : container.at("resources").at("claims")) {
            String name = claim.text("name");
            if (!used.add(name)) {
                claim.duplicate(name);
            }
            if (!name.isEmpty() && !names.contains(name)) {
                claim.add(
                        "FieldValueNotFound",
                        "Not found: " + FieldWords.quoted(FieldWords.clipped(name))
                                + ": must be one of the names in pod.spec.resourceClaims"
                                + (names.isEmpty() ? " which is empty" : ": " + String.join(", ", names)));
            }
        }
    }

    /** Checks what becomes of a container that is resized. */
    static void resized(Field policies, boolean never) {
        Set<String> seen = new HashSet<>();
        for (Field policy : policies) {
            String resource = policy.text("resourceName");
            if (!seen.add(resource)) {
                policy.duplicate(resource);
            }
            policies.oneOf(resource, RESIZED);
            if (never && !policy.at("restartPolicy").is("NotRequired")) {
                policies.invalid(policy.text("restartPolicy"), "must be 'NotRequired' when `restartPolicy` is 'Never'");
            }
        }
    }
}
