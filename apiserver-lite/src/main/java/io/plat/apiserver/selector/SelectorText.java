package io.plat.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.tree.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Formats a selector of an object as a query parameter. */
public final class SelectorText {
    private SelectorText() {}

    /**
     * Returns the text.
     *
     * @param selector map of labels, or object with {@code matchLabels} and {@code matchExpressions}
     */
    public static String of(JsonNode selector) {
        boolean plain = !selector.path("matchLabels").isObject()
                && !selector.path("matchExpressions").isArray();
        var byKey = new TreeMap<String, List<String>>();
        for (Map.Entry<String, JsonNode> label : (plain ? selector : selector.path("matchLabels")).properties()) {
            add(byKey, label.getKey(), label.getKey() + "=" + label.getValue().asText());
        }
        if (!plain) {
            for (JsonNode expression : selector.path("matchExpressions")) {
                String key = Json.text(expression, "key");
                add(byKey, key, requirement(key, expression));
            }
        }
        return String.join(",", byKey.values().stream().flatMap(List::stream).toList());
    }

    private static void add(Map<String, List<String>> byKey, String key, String requirement) {
        byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(requirement);
    }

    private static String requirement(String key, JsonNode expression) {
        List<String> values =
                Json.texts(expression.path("values")).stream().sorted().toList();
        String among = "(" + String.join(",", values) + ")";
        return switch (Json.text(expression, "operator")) {
            case "In" -> key + " in " + among;
            case "NotIn" -> key + " notin " + among;
            case "DoesNotExist" -> "!" + key;
            default -> key;
        };
    }
}
