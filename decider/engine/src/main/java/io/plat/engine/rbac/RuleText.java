package io.plat.engine.rbac;

import io.plat.review.json.JsonText;
import java.util.List;

/** Writes a rule as one line of JSON, so that it can be pasted into a manifest. */
final class RuleText {
    private final StringBuilder json = new StringBuilder("{");

    private RuleText() {}

    static String of(RbacRule rule) {
        RuleText text = new RuleText();
        text.field("verbs", rule.verbs());
        text.field("apiGroups", rule.apiGroups());
        text.field("resources", rule.resources());
        text.field("resourceNames", rule.resourceNames());
        text.field("nonResourceURLs", rule.nonResourceUrls());
        return text.json.append('}').toString();
    }

    private void field(String name, List<String> values) {
        if (values.isEmpty()) {
            return;
        }
        json.append(json.length() == 1 ? "" : ",");
        json.append(JsonText.quoted(name));
        json.append(":[");
        for (int i = 0; i < values.size(); i++) {
            json.append(i == 0 ? "" : ",");
            json.append(JsonText.quoted(values.get(i)));
        }
        json.append(']');
    }
}
