package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import java.util.List;
import java.util.stream.Collectors;

/** A role of one rule and the binding that gives it to one user, as manifests that any server of the field takes. */
final class GrantManifests {
    private static final String VERSION = "apiVersion: " + ApiGroups.RBAC + "/v1\n";

    private final StringBuilder yaml = new StringBuilder(512);
    private final String name;
    private final String namespace;

    /**
     * Manifests of a name.
     *
     * @param namespace {@code ""} for a cluster role and a cluster binding
     */
    GrantManifests(String name, String namespace) {
        this.name = name;
        this.namespace = namespace;
    }

    String of(RbacRule rule, String user) {
        object(namespace.isEmpty() ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE);
        yaml.append("rules:\n");
        list("- verbs", rule.verbs());
        if (rule.nonResourceUrls().isEmpty()) {
            list("  apiGroups", rule.apiGroups());
            list("  resources", rule.resources());
            list("  resourceNames", rule.resourceNames());
        }
        list("  nonResourceURLs", rule.nonResourceUrls());
        yaml.append("---\n");
        object(namespace.isEmpty() ? RbacKind.CLUSTER_ROLE_BINDING : RbacKind.ROLE_BINDING);
        yaml.append("roleRef:\n");
        field("  apiGroup", ApiGroups.RBAC);
        field("  kind", (namespace.isEmpty() ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE).kind());
        field("  name", name);
        yaml.append("subjects:\n");
        subject(SubjectName.user(user));
        return yaml.toString();
    }

    private void object(RbacKind kind) {
        yaml.append(VERSION).append("kind: ").append(kind.kind()).append("\nmetadata:\n");
        field("  name", name);
        if (!namespace.isEmpty()) {
            field("  namespace", namespace);
        }
    }

    private void subject(SubjectName subject) {
        field("- kind", subject.kind().word());
        if (subject.kind() == SubjectName.Kind.SERVICE_ACCOUNT) {
            field("  namespace", subject.namespace());
        } else {
            field("  apiGroup", ApiGroups.RBAC);
        }
        field("  name", subject.name());
    }

    private void list(String name, List<String> values) {
        if (!values.isEmpty()) {
            yaml.append(name)
                    .append(": [")
                    .append(values.stream().map(JsonText::quoted).collect(Collectors.joining(", ")))
                    .append("]\n");
        }
    }

    private void field(String name, String value) {
        yaml.append(name).append(": ").append(JsonText.quoted(value)).append('\n');
    }
}
