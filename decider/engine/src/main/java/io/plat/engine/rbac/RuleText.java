package io.plat.engine.rbac;

import io.plat.review.json.JsonText;
import java.util.List;

/** Writes a rule as one line of JSON, so that it can be pasted into a manifest. */
final class RuleText {
    private final StringBuilder json;
    private boolean empty = true;

    private RuleText(StringBuilder json) {
        this.json = json;
    }

    static String of(RbacRule rule) {
        StringBuilder json = new StringBuilder();
        append(rule, json);
        return json.toString();
    }

    static void append(RbacRule rule, StringBuilder json) {
        RuleText text = new RuleText(json);
        json.append('{');
        text.field("verbs", rule.verbs());
        text.field("apiGroups", rule.apiGroups());
        text.field("resources", rule.resources());
        text.field("resourceNames", rule.resourceNames());
        text.field("nonResourceURLs", rule.nonResourceUrls());
        json.append('}');
    }

    private void field(String name, List<String> values) {
        if (values.isEmpty()) {
            return;
        }
        if (!empty) {
            json.append(',');
        }
        empty = false;
        JsonText.quote(name, json).append(":[");
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                json.append(',');
            }
            JsonText.quote(values.get(i), json);
        }
        json.append(']');
    }
}
