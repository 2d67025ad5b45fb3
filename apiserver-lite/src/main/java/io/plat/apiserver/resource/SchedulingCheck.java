package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with where a pod wants to run: nodes, neighbours, what it bears, how it is spread. In the words of existing servers. */
final class SchedulingCheck {
    private static final String REQUIRED = ".requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = ".preferredDuringSchedulingIgnoredDuringExecution";
    private static final int HEAVIEST = 100;

    private final Causes causes;

    private SchedulingCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks the spec of a pod that stands at a path. */
    static void check(String path, JsonNode spec, Causes causes) {
        SchedulingCheck check = new SchedulingCheck(causes);
        SelectorCheck.labels(path + ".nodeSelector", spec.path("nodeSelector"), causes);
        check.tolerations(path + ".tolerations", spec.path("tolerations"));
        check.spread(path + ".topologySpreadConstraints", spec.path("topologySpreadConstraints"));
        JsonNode affinity = spec.path("affinity");
        check.nodes(path + ".affinity.nodeAffinity", affinity.path("nodeAffinity"));
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            check.neighbours(path + ".affinity." + kind, affinity.path(kind));
        }
    }

    private void tolerations(String field, JsonNode list) {
        for (int i = 0; i < list.size(); i++) {
            toleration(field + "[" + i + "]", list.path(i));
        }
    }

    private void toleration(String field, JsonNode toleration) {
        String key = Json.text(toleration, "key");
        String operator = Json.text(toleration, "operator");
        if (!key.isEmpty()) {
            causes.qualifiedName(field + ".key", key);
        } else if (!operator.equals("Exists")) {
            causes.invalid(
                    field + ".operator",
                    operator,
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        String effect = Json.text(toleration, "effect");
        if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
            causes.invalid(field + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        String value = Json.text(toleration, "value");
        if (operator.equals("Exists") && !value.isEmpty()) {
            causes.invalidValue(field + ".operator", toleration, "value must be empty when `operator` is 'Exists'");
        } else if (operator.isEmpty() || operator.equals("Equal")) {
            causes.name(field + ".operator", value, NameRule.LABEL_VALUE);
        }
    }

    private void spread(String field, JsonNode list) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode constraint = list.path(i);
            String at = field + "[" + i + "]";
            positive(at + ".maxSkew", constraint.path("maxSkew"));
            topologyKey(at, constraint);
            String unsatisfied = Json.text(constraint, "whenUnsatisfiable");
            String pair = "{" + Json.text(constraint, "topologyKey") + ", " + unsatisfied + "}";
            if (!seen.add(pair)) {
                causes.duplicate(at + ".{topologyKey, whenUnsatisfiable}", pair);
            }
            JsonNode domains = constraint.path("minDomains");
            positive(at + ".minDomains", domains);
            if (domains.isNumber() && !unsatisfied.equals("DoNotSchedule")) {
                causes.invalidValue(
                        at + ".minDomains",
                        domains,
                        "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + unsatisfied);
            }
            SelectorCheck.check(at + ".labelSelector", constraint.path("labelSelector"), causes);
        }
    }

    private void positive(String field, JsonNode number) {
        if (number.isNumber() && number.asLong() <= 0) {
            causes.invalidValue(field, number, "must be greater than zero");
        }
    }

    private void topologyKey(String field, JsonNode of) {
        String key = Json.text(of, "topologyKey");
        if (key.isEmpty()) {
            causes.required(field + ".topologyKey", "can not be empty");
        } else {
            causes.qualifiedName(field + ".topologyKey", key);
        }
    }

    private void nodes(String field, JsonNode affinity) {
        if (affinity.path(REQUIRED.substring(1)).isObject()) {
            nodeTerms(field + REQUIRED, affinity.path(REQUIRED.substring(1)));
        }
        JsonNode preferred = affinity.path(PREFERRED.substring(1));
        for (int i = 0; i < preferred.size(); i++) {
            String at = field + PREFERRED + "[" + i + "]";
            weight(at, preferred.path(i));
            nodeTerm(at + ".preference", preferred.path(i).path("preference"));
        }
    }

    /** Checks a selector of nodes: at least one of its terms has to hold. */
    private void nodeTerms(String field, JsonNode selector) {
        JsonNode terms = selector.path("nodeSelectorTerms");
        if (terms.isEmpty()) {
            causes.required(field + ".nodeSelectorTerms", "must have at least one node selector term");
        }
        for (int i = 0; i < terms.size(); i++) {
            nodeTerm(field + ".nodeSelectorTerms[" + i + "]", terms.path(i));
        }
    }

    /** Checks the nodes that a volume can be reached from. */
    static void checkNodeSelector(String field, JsonNode selector, Causes causes) {
        new SchedulingCheck(causes).nodeTerms(field, selector);
    }

    private void nodeTerm(String field, JsonNode term) {
        JsonNode expressions = term.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            String at = field + ".matchExpressions[" + i + "]";
            JsonNode values = expressions.path(i).path("values");
            String operator = Json.text(expressions.path(i), "operator");
            switch (operator) {
                case "In", "NotIn", "Exists", "DoesNotExist" ->
                    SelectorCheck.values(at + ".values", operator, values, causes);
                case "Gt", "Lt" -> {
                    if (values.size() != 1) {
                        causes.required(
                                at + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
                    }
                }
                default -> causes.invalid(at + ".operator", operator, "not a valid selector operator");
            }
            causes.qualifiedName(at + ".key", Json.text(expressions.path(i), "key"));
        }
        JsonNode fields = term.path("matchFields");
        for (int i = 0; i < fields.size(); i++) {
            nodeField(field + ".matchFields[" + i + "]", fields.path(i));
        }
    }

    private void nodeField(String field, JsonNode requirement) {
        String operator = Json.text(requirement, "operator");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            causes.invalid(field + ".operator", operator, "not a valid selector operator");
        } else if (requirement.path("values").size() != 1) {
            causes.required(
                    field + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = Json.text(requirement, "key");
        if (!key.equals("metadata.name")) {
            causes.invalid(field + ".key", key, "not a valid field selector key");
        }
    }

    private void weight(String field, JsonNode term) {
        long weight = term.path("weight").asLong();
        if (weight < 1 || weight > HEAVIEST) {
            causes.invalidLiteral(field + ".weight", Long.toString(weight), "must be in the range 1-" + HEAVIEST);
        }
    }

    private void neighbours(String field, JsonNode affinity) {
        JsonNode required = affinity.path(REQUIRED.substring(1));
        for (int i = 0; i < required.size(); i++) {
            neighbour(field + REQUIRED + "[" + i + "]", required.path(i));
        }
        JsonNode preferred = affinity.path(PREFERRED.substring(1));
        for (int i = 0; i < preferred.size(); i++) {
            String at = field + PREFERRED + "[" + i + "]";
            weight(at, preferred.path(i));
            neighbour(at + ".podAffinityTerm", preferred.path(i).path("podAffinityTerm"));
        }
    }

    private void neighbour(String field, JsonNode term) {
        SelectorCheck.check(field + ".labelSelector", term.path("labelSelector"), causes);
        SelectorCheck.check(field + ".namespaceSelector", term.path("namespaceSelector"), causes);
        for (JsonNode namespace : term.path("namespaces")) {
            causes.name(field + ".namespace", namespace.asText(), NameRule.LABEL);
        }
        topologyKey(field, term);
    }
}
