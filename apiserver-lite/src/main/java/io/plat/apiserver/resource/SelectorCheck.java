package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Validation of labels and of label selectors, with the messages of kube-apiserver. */
final class SelectorCheck {
    private SelectorCheck() {}

    /** Checks labels that something has, or that it has to have. */
    static void labels(Field labels) {
        for (Map.Entry<String, JsonNode> label : labels.value().properties()) {
            labels.qualifiedName(label.getKey());
            labels.name(label.getValue().asText(), NameRule.LABEL_VALUE);
        }
    }

    /** Checks a selector, if there is one. */
    static void check(Field selector) {
        labels(selector.at("matchLabels"));
        selector.at("matchExpressions").forEach(SelectorCheck::expression);
    }

    private static void expression(Field expression) {
        Field values = expression.at("values");
        Field operator = expression.at("operator");
        switch (operator.text()) {
            case "In", "NotIn", "Exists", "DoesNotExist" -> values(operator.text(), values);
            default -> operator.invalid("not a valid selector operator");
        }
        expression.at("key").qualifiedName();
        values.forEach(value -> value.name(NameRule.LABEL_VALUE));
    }

    /** Checks that an operator has values where it needs some, and none elsewhere. */
    static void values(String operator, Field values) {
        boolean needed = operator.equals("In") || operator.equals("NotIn");
        if (needed) {
            values.require("must be specified when `operator` is 'In' or 'NotIn'");
        } else if (!values.isEmpty()) {
            values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
    }
}
