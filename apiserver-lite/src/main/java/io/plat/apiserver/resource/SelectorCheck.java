package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** What is wrong with labels, and with selectors of them, wherever they stand: in the words of existing servers. */
final class SelectorCheck {
    private SelectorCheck() {}

    /** Checks labels that something has, or that it has to have. */
    static void labels(String field, JsonNode labels, Causes causes) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            causes.qualifiedName(field, label.getKey());
            causes.name(field, label.getValue().asText(), NameRule.LABEL_VALUE);
        }
    }

    /** Checks a selector; one that is not there selects nothing, and is left to who needs one. */
    static void check(String field, JsonNode selector, Causes causes) {
        labels(field + ".matchLabels", selector.path("matchLabels"), causes);
        JsonNode expressions = selector.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            expression(field + ".matchExpressions[" + i + "]", expressions.path(i), causes);
        }
    }

    private static void expression(String field, JsonNode expression, Causes causes) {
        JsonNode values = expression.path("values");
        String operator = Json.text(expression, "operator");
        switch (operator) {
            case "In", "NotIn", "Exists", "DoesNotExist" -> values(field + ".values", operator, values, causes);
            default -> causes.invalid(field + ".operator", operator, "not a valid selector operator");
        }
        causes.qualifiedName(field + ".key", Json.text(expression, "key"));
        for (int i = 0; i < values.size(); i++) {
            causes.name(field + ".values[" + i + "]", values.path(i).asText(), NameRule.LABEL_VALUE);
        }
    }

    /** Checks that an operator has values where it is about some, and none elsewhere. */
    static void values(String field, String operator, JsonNode values, Causes causes) {
        boolean needed = operator.equals("In") || operator.equals("NotIn");
        if (needed && values.isEmpty()) {
            causes.required(field, "must be specified when `operator` is 'In' or 'NotIn'");
        } else if (!needed && !values.isEmpty()) {
            causes.forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
    }
}
