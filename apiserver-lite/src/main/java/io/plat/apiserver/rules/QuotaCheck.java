package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of ResourceQuota objects, with the messages of kube-apiserver. */
final class QuotaCheck {
    private static final Set<String> OF_PODS =
            Set.of("cpu", "limits.cpu", "limits.memory", "memory", "pods", "requests.cpu", "requests.memory");

    private static final Map<String, Set<String>> SCOPES = Map.of(
            "BestEffort", Set.of("pods"),
            "CrossNamespacePodAffinity", OF_PODS,
            "NotBestEffort", OF_PODS,
            "NotTerminating", OF_PODS,
            "PriorityClass", OF_PODS,
            "Terminating", OF_PODS,
            "VolumeAttributesClass", Set.of("persistentvolumeclaims", "requests.storage"));

    private static final List<Set<String>> CONFLICTS =
            List.of(Set.of("BestEffort", "NotBestEffort"), Set.of("Terminating", "NotTerminating"));

    private QuotaCheck() {}

    static void check(Field spec) {
        spec.at("hard").entries().forEach(ResourceNames::checkQuotaResource);
        Field scopes = spec.at("scopes");
        scopes.texts().forEach(scope -> scope(spec, scopes, scope));
        conflicts(scopes, scopes.texts());
        Field selector = spec.at("scopeSelector");
        // kube-apiserver displays the whole selector, at its expressions.
        Field reported = selector.as("matchExpressions", GoForm.of("ScopeSelector", selector.value()));
        List<String> selected = new ArrayList<>();
        for (Field requirement : selector.at("matchExpressions")) {
            String scope = requirement.text("scopeName");
            selected.add(scope);
            scope(spec, reported, scope);
            Rules.check("ScopeRequirement", reported.with(requirement.value()));
        }
        conflicts(selector.as("matchExpressions", scopes.value()), selected);
    }

    private static void scope(Field spec, Field reported, String scope) {
        Set<String> allowed = SCOPES.get(scope);
        if (allowed == null) {
            reported.invalidValue("unsupported scope");
            return;
        }
        for (Map.Entry<String, JsonNode> hard : spec.value().path("hard").properties()) {
            if (ResourceNames.isStandardQuotaResource(hard.getKey()) && !allowed.contains(hard.getKey())) {
                reported.invalidValue("unsupported scope applied to resource");
            }
        }
    }

    private static void conflicts(Field reported, List<String> scopes) {
        for (Set<String> pair : CONFLICTS) {
            if (scopes.containsAll(pair)) {
                reported.invalidValue("conflicting scopes");
            }
        }
    }
}
