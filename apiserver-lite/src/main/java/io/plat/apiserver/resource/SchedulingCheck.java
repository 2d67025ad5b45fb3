package io.plat.apiserver.resource;

import java.util.HashSet;
import java.util.Set;

/** Validation of where a pod wants to run: nodes, neighbours, tolerations, spread; with the messages of kube-apiserver. */
final class SchedulingCheck {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final int HEAVIEST = 100;

    private SchedulingCheck() {}

    /** Checks the spec of a pod. */
    static void check(Field spec) {
        SelectorCheck.labels(spec.at("nodeSelector"));
        spec.at("tolerations").forEach(SchedulingCheck::toleration);
        spread(spec.at("topologySpreadConstraints"));
        Field affinity = spec.at("affinity");
        nodes(affinity.at("nodeAffinity"));
        neighbours(affinity.at("podAffinity"));
        neighbours(affinity.at("podAntiAffinity"));
    }

    private static void toleration(Field toleration) {
        Field operator = toleration.at("operator");
        toleration.at("key").optionalQualifiedName();
        if (toleration.at("key").isEmpty() && !operator.is("Exists")) {
            operator.invalid(
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.has("tolerationSeconds") && !toleration.at("effect").is("NoExecute")) {
            toleration.at("effect").invalid("effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        String value = toleration.text("value");
        if (operator.is("Exists") && !value.isEmpty()) {
            toleration
                    .as("operator", toleration.value())
                    .invalidValue("value must be empty when `operator` is 'Exists'");
        } else if (operator.isEmpty() || operator.is("Equal")) {
            operator.name(value, NameRule.LABEL_VALUE);
        }
    }

    private static void spread(Field constraints) {
        Set<String> seen = new HashSet<>();
        for (Field constraint : constraints) {
            positive(constraint.at("maxSkew"));
            topologyKey(constraint.at("topologyKey"));
            String unsatisfied = constraint.text("whenUnsatisfiable");
            String pair = "{" + constraint.text("topologyKey") + ", " + unsatisfied + "}";
            if (!seen.add(pair)) {
                constraint.at("{topologyKey, whenUnsatisfiable}").duplicate(pair);
            }
            Field domains = constraint.at("minDomains");
            positive(domains);
            if (domains.isNumber() && !unsatisfied.equals("DoNotSchedule")) {
                domains.invalidValue("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + unsatisfied);
            }
            SelectorCheck.check(constraint.at("labelSelector"));
        }
    }

    private static void positive(Field number) {
        number.range(1, Long.MAX_VALUE, "must be greater than zero");
    }

    private static void topologyKey(Field key) {
        if (key.require("can not be empty")) {
            key.qualifiedName();
        }
    }

    private static void nodes(Field affinity) {
        if (affinity.at(REQUIRED).value().isObject()) {
            checkNodeSelector(affinity.at(REQUIRED));
        }
        for (Field preferred : affinity.at(PREFERRED)) {
            weight(preferred.at("weight"));
            nodeTerm(preferred.at("preference"));
        }
    }

    /** Checks a selector of nodes: at least one of its terms has to hold. */
    static void checkNodeSelector(Field selector) {
        selector.at("nodeSelectorTerms").require("must have at least one node selector term");
        selector.at("nodeSelectorTerms").forEach(SchedulingCheck::nodeTerm);
    }

    private static void nodeTerm(Field term) {
        for (Field expression : term.at("matchExpressions")) {
            Field values = expression.at("values");
            Field operator = expression.at("operator");
            switch (operator.text()) {
                case "In", "NotIn", "Exists", "DoesNotExist" -> SelectorCheck.values(operator.text(), values);
                case "Gt", "Lt" -> {
                    if (values.value().size() != 1) {
                        values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
                    }
                }
                default -> operator.invalid("not a valid selector operator");
            }
            expression.at("key").qualifiedName();
        }
        term.at("matchFields").forEach(SchedulingCheck::nodeField);
    }

    private static void nodeField(Field requirement) {
        Field operator = requirement.at("operator");
        Field values = requirement.at("values");
        if (!operator.is("In") && !operator.is("NotIn")) {
            operator.invalid("not a valid selector operator");
        } else if (values.value().size() != 1) {
            values.required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        if (!requirement.at("key").is("metadata.name")) {
            requirement.at("key").invalid("not a valid field selector key");
        }
    }

    private static void weight(Field weight) {
        if (weight.number() < 1 || weight.number() > HEAVIEST) {
            weight.invalidLiteral(Long.toString(weight.number()), "must be in the range 1-" + HEAVIEST);
        }
    }

    private static void neighbours(Field affinity) {
        affinity.at(REQUIRED).forEach(SchedulingCheck::neighbour);
        for (Field preferred : affinity.at(PREFERRED)) {
            weight(preferred.at("weight"));
            neighbour(preferred.at("podAffinityTerm"));
        }
    }

    private static void neighbour(Field term) {
        SelectorCheck.check(term.at("labelSelector"));
        SelectorCheck.check(term.at("namespaceSelector"));
        for (String namespace : term.at("namespaces").texts()) {
            term.at("namespace").name(namespace, NameRule.LABEL);
        }
        topologyKey(term.at("topologyKey"));
    }
}
