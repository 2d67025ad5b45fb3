package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is wrong with how much a namespace may have of what, and of which of its objects: in the words of existing servers. */
final class QuotaCheck {
    private static final Set<String> OF_PODS =
            Set.of("cpu", "limits.cpu", "limits.memory", "memory", "pods", "requests.cpu", "requests.memory");

    /** What can be counted of the objects that a scope is about. */
    private static final Map<String, Set<String>> SCOPES = Map.of(
            "BestEffort", Set.of("pods"),
            "CrossNamespacePodAffinity", OF_PODS,
            "NotBestEffort", OF_PODS,
            "NotTerminating", OF_PODS,
            "PriorityClass", OF_PODS,
            "Terminating", OF_PODS,
            "VolumeAttributesClass", Set.of("persistentvolumeclaims", "requests.storage"));

    /** Those that are there or not, and have no values. */
    private static final Set<String> PLAIN =
            Set.of("BestEffort", "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "Terminating");

    private static final List<Set<String>> CONFLICTS =
            List.of(Set.of("BestEffort", "NotBestEffort"), Set.of("Terminating", "NotTerminating"));

    private static final String SELECTED = "spec.scopeSelector.matchExpressions";

    private final JsonNode spec;
    private final Causes causes;

    private QuotaCheck(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks one. */
    static void check(JsonNode quota, Causes causes) {
        new QuotaCheck(quota.path("spec"), causes).check();
    }

    private void check() {
        for (Map.Entry<String, JsonNode> hard : spec.path("hard").properties()) {
            ResourceNames.checkOfQuota("spec.hard[" + hard.getKey() + "]", hard.getKey(), hard.getValue(), causes);
        }
        List<String> scopes = MetadataRules.texts(spec.path("scopes"));
        scopes.forEach(scope -> scope("spec.scopes", spec.path("scopes"), scope));
        conflicts("spec.scopes", scopes);
        List<String> selected = new ArrayList<>();
        for (JsonNode requirement : spec.path("scopeSelector").path("matchExpressions")) {
            String scope = Json.text(requirement, "scopeName");
            selected.add(scope);
            scope(SELECTED, spec.path("scopeSelector"), scope);
            operator(scope, requirement);
        }
        conflicts(SELECTED, selected);
    }

    private void scope(String field, JsonNode shown, String scope) {
        if (!SCOPES.containsKey(scope)) {
            causes.invalidValue(field, shown, "unsupported scope");
            return;
        }
        for (Map.Entry<String, JsonNode> hard : spec.path("hard").properties()) {
            String name = hard.getKey();
            if (ResourceNames.ofQuota(name) && !SCOPES.get(scope).contains(name)) {
                causes.invalidValue(field, shown, "unsupported scope applied to resource");
            }
        }
    }

    private void conflicts(String field, List<String> scopes) {
        for (Set<String> pair : CONFLICTS) {
            if (new HashSet<>(scopes).containsAll(pair)) {
                causes.invalidValue(field, spec.path("scopes"), "conflicting scopes");
            }
        }
    }

    private void operator(String scope, JsonNode requirement) {
        String operator = Json.text(requirement, "operator");
        JsonNode values = requirement.path("values");
        if (PLAIN.contains(scope) && !operator.equals("Exists")) {
            causes.invalid(
                    SELECTED + ".operator",
                    operator,
                    "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating,"
                            + " ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or"
                            + " ResourceQuotaScopeCrossNamespacePodAffinity");
        }
        boolean needed = operator.equals("In") || operator.equals("NotIn");
        if (needed && values.isEmpty()) {
            causes.required(
                    SELECTED + ".values",
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        } else if (!needed && !values.isEmpty()) {
            causes.invalidValue(
                    SELECTED + ".values",
                    values,
                    "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
    }
}
