package io.plat.engine.rbac.manifest;

import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.ApiGroups;
import io.plat.review.json.JsonText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writer of role objects as YAML manifests, with quotes only where needed. Reading them yields the same objects. */
public final class ManifestText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]{0,250}");

    /** Words that are not strings without quotes (YAML 1.1, as common parsers read it). */
    private static final Set<String> WORDS = Set.of("true", "false", "yes", "no", "on", "off", "null", "y", "n");

    private final StringBuilder yaml = new StringBuilder(512);

    private ManifestText() {}

    /** Returns one document, without document markers. */
    public static String of(RbacObject object) {
        ManifestText text = new ManifestText();
        text.head(object);
        switch (object) {
            case RbacRole role -> text.role(role);
            case RbacBinding binding -> text.binding(binding);
        }
        return text.yaml.toString();
    }

    private void head(RbacObject object) {
        field("apiVersion", ApiGroups.RBAC + "/v1");
        field("kind", object.key().kind().kind());
        yaml.append("metadata:\n");
        field("  name", object.key().name());
        if (!object.key().namespace().isEmpty()) {
            field("  namespace", object.key().namespace());
        }
        if (object instanceof RbacRole role && !role.labels().isEmpty()) {
            yaml.append("  labels: ").append(map(role.labels())).append('\n');
        }
    }

    private void role(RbacRole role) {
        List<ClusterRoleSelector> aggregation = role.aggregation();
        if (aggregation != null) {
            yaml.append("aggregationRule:\n  clusterRoleSelectors:").append(aggregation.isEmpty() ? " []\n" : "\n");
            aggregation.forEach(this::selector);
        }
        yaml.append(role.rules().isEmpty() ? "rules: []\n" : "rules:\n");
        role.rules().forEach(this::rule);
    }

    private void selector(ClusterRoleSelector selector) {
        yaml.append("    - {matchLabels: ").append(map(selector.matchLabels()));
        if (!selector.matchExpressions().isEmpty()) {
            yaml.append(", matchExpressions: [")
                    .append(selector.matchExpressions().stream()
                            .map(one -> "{key: " + word(one.key()) + ", operator: " + word(one.operator())
                                    + (one.values().isEmpty() ? "" : ", values: " + list(one.values())) + "}")
                            .collect(Collectors.joining(", ")))
                    .append(']');
        }
        yaml.append("}\n");
    }

    private void rule(RbacRule rule) {
        String before = "  - ";
        before = unlessEmpty(before, "apiGroups", rule.apiGroups());
        before = unlessEmpty(before, "resources", rule.resources());
        before = unlessEmpty(before, "resourceNames", rule.resourceNames());
        before = unlessEmpty(before, "nonResourceURLs", rule.nonResourceUrls());
        yaml.append(before).append("verbs: ").append(list(rule.verbs())).append('\n');
    }

    private String unlessEmpty(String before, String name, List<String> values) {
        if (values.isEmpty()) {
            return before;
        }
        yaml.append(before).append(name).append(": ").append(list(values)).append('\n');
        return "    ";
    }

    private void binding(RbacBinding binding) {
        yaml.append("roleRef:\n");
        field("  apiGroup", ApiGroups.RBAC);
        field("  kind", binding.roleRef().kind());
        field("  name", binding.roleRef().name());
        yaml.append(binding.subjects().isEmpty() ? "subjects: []\n" : "subjects:\n");
        for (RbacSubject subject : binding.subjects()) {
            field("  - kind", subject.kind());
            if (!subject.apiGroup().isEmpty()) {
                field("    apiGroup", subject.apiGroup());
            }
            field("    name", subject.name());
            if (!subject.namespace().isEmpty()) {
                field("    namespace", subject.namespace());
            }
        }
    }

    private void field(String name, String value) {
        yaml.append(name).append(": ").append(word(value)).append('\n');
    }

    private static String map(Map<String, String> values) {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(one -> word(one.getKey()) + ": " + JsonText.quoted(one.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String list(List<String> values) {
        return values.stream().map(ManifestText::word).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String word(String value) {
        boolean plain = PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT));
        return plain ? value : JsonText.quoted(value);
    }
}
