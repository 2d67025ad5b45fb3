package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is wrong with claims of devices that pods have, and with how containers are resized: in the words of existing servers. */
final class PodClaimsCheck {
    private static final List<String> RESIZED = List.of("cpu", "memory");

    private final Causes causes;
    private final Set<String> names = new TreeSet<>();

    PodClaimsCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks the claims of a pod, which stand at a path. */
    void claims(String field, JsonNode claims) {
        for (int i = 0; i < claims.size(); i++) {
            JsonNode claim = claims.path(i);
            String at = field + "[" + i + "]";
            String name = Json.text(claim, "name");
            if (!name.isEmpty() && !names.add(name)) {
                causes.duplicate(at + ".name", name);
            } else if (!name.isEmpty()) {
                causes.name(at + ".name", name, NameRule.LABEL);
            }
            boolean one = claim.has("resourceClaimName");
            boolean template = claim.has("resourceClaimTemplateName");
            if (one && template) {
                causes.invalidValue(
                        at,
                        claim,
                        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            } else if (!one && !template) {
                causes.invalidValue(at, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
            for (String kind : List.of("resourceClaimName", "resourceClaimTemplateName")) {
                if (claim.has(kind)) {
                    causes.name(at + "." + kind, Json.text(claim, kind), NameRule.SUBDOMAIN);
                }
            }
        }
    }

    /** Checks the claims of a container. */
    void used(String path, JsonNode container) {
        JsonNode claims = container.path("resources").path("claims");
        Set<String> used = new HashSet<>();
        for (int i = 0; i < claims.size(); i++) {
            String name = Json.text(claims.path(i), "name");
            String field = path + ".resources.claims[" + i + "]";
            if (!used.add(name)) {
                causes.duplicate(field, name);
            }
            if (!name.isEmpty() && !names.contains(name)) {
                causes.add(
                        "FieldValueNotFound",
                        "Not found: " + FieldWords.quoted(FieldWords.clipped(name))
                                + ": must be one of the names in pod.spec.resourceClaims"
                                + (names.isEmpty() ? " which is empty" : ": " + String.join(", ", names)),
                        field);
            }
        }
    }

    /** Checks what becomes of a container that is resized. */
    void resized(String field, JsonNode policies, boolean never) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < policies.size(); i++) {
            String resource = Json.text(policies.path(i), "resourceName");
            String restart = Json.text(policies.path(i), "restartPolicy");
            if (!seen.add(resource)) {
                causes.duplicate(field + "[" + i + "]", resource);
            }
            causes.oneOf(field, resource, RESIZED);
            if (never && !restart.equals("NotRequired")) {
                causes.invalid(field, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'");
            }
        }
    }
}
