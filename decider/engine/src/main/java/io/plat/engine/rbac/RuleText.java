package io.plat.engine.rbac;

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
        string(name);
        json.append(":[");
        for (int i = 0; i < values.size(); i++) {
            json.append(i == 0 ? "" : ",");
            string(values.get(i));
        }
        json.append(']');
    }

    /** A name as it stands in a reason. */
    static String quoted(String name) {
        RuleText text = new RuleText();
        text.json.setLength(0);
        text.string(name);
        return text.json.toString();
    }

    private void string(String value) {
        json.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
