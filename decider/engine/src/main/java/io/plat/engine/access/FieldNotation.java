package io.plat.engine.access;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.json.JsonText;
import java.util.List;

/** Text of a rule as in Kubernetes' messages. */
final class FieldNotation {
    /** Maximum length of a value, in characters. */
    private static final int MAX_LENGTH = 256;

    private final StringBuilder text = new StringBuilder("{");

    private FieldNotation() {}

    static String of(RbacRule rule) {
        FieldNotation notation = new FieldNotation();
        notation.field("APIGroups", rule.apiGroups());
        notation.field("Resources", rule.resources());
        notation.field("NonResourceURLs", rule.nonResourceUrls());
        notation.field("ResourceNames", rule.resourceNames());
        notation.field("Verbs", rule.verbs());
        return notation.text.append('}').toString();
    }

    private void field(String name, List<String> values) {
        if (values.isEmpty()) {
            return;
        }
        text.append(text.length() == 1 ? "" : ", ").append(name).append(":[");
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            boolean whole = value.length() <= MAX_LENGTH;
            text.append(i == 0 ? "" : " ");
            text.append(JsonText.quoted(whole ? value : JsonText.wellFormed(value.substring(0, MAX_LENGTH)) + "..."));
        }
        text.append(']');
    }
}
