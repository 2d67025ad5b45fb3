package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** Model of label selectors. */
final class Labels {
    private Labels() {}

    static boolean match(JsonNode selector, JsonNode labels) {
        for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
            if (!labels.has(label.getKey())
                    || !labels.get(label.getKey())
                            .asText()
                            .equals(label.getValue().asText())) {
                return false;
            }
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            if (!meets(expression, labels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meets(JsonNode expression, JsonNode labels) {
        String key = expression.path("key").asText();
        boolean present = labels.has(key);
        boolean listed = false;
        for (JsonNode value : expression.path("values")) {
            listed |= present && labels.get(key).asText().equals(value.asText());
        }
        return switch (expression.path("operator").asText()) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> present;
            case "DoesNotExist" -> !present;
            default -> throw new IllegalArgumentException(expression.toString());
        };
    }
}
