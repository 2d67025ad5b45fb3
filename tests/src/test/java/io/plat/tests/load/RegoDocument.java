package io.plat.tests.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.ApiGroups;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Role objects as a document for a policy engine with look-ups by key; {@code rbac.rego} decides by it. Aggregated roles are not supported.
 */
final class RegoDocument {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ObjectNode document = JSON.createObjectNode();
    private final ObjectNode users = document.putObject("users");
    private final ObjectNode groups = document.putObject("groups");
    private final ObjectNode roles = document.putObject("roles");

    private RegoDocument() {}

    /** Returns the document of a policy, for {@code data.policy}. */
    static ObjectNode of(RbacPolicy policy) {
        RegoDocument document = new RegoDocument();
        policy.roles().forEach(document::add);
        policy.bindings().forEach(document::add);
        return document.document;
    }

    private void add(RbacRole role) {
        ObjectNode written = roles.putObject(role.key().toString());
        ArrayNode onResources = written.putArray("resources");
        ArrayNode onPaths = written.putArray("paths");
        for (RbacRule rule : role.rules()) {
            if (rule.nonResourceUrls().isEmpty()) {
                onResources.add(onResources(rule));
            } else {
                onPaths.add(onPaths(rule));
            }
        }
    }

    private static ObjectNode onResources(RbacRule rule) {
        ObjectNode written = JSON.createObjectNode();
        written.set("verbs", set(rule.verbs()));
        written.set(
                "apiGroups",
                set(rule.apiGroups().stream().map(ApiGroups::canonical).toList()));
        written.set("resources", set(rule.resources()));
        if (!rule.resourceNames().isEmpty()) {
            written.set("resourceNames", set(rule.resourceNames()));
        }
        return written;
    }

    private static ObjectNode onPaths(RbacRule rule) {
        ObjectNode written = JSON.createObjectNode();
        written.set("verbs", set(rule.verbs()));
        written.set("urls", set(rule.nonResourceUrls()));
        ArrayNode prefixes = written.putArray("prefixes");
        rule.nonResourceUrls().stream()
                .filter(url -> url.endsWith("*"))
                .map(url -> url.substring(0, url.length() - 1))
                .forEach(prefixes::add);
        return written;
    }

    private static ObjectNode set(Collection<String> values) {
        ObjectNode set = JSON.createObjectNode();
        values.forEach(value -> set.put(value, true));
        return set;
    }

    private void add(RbacBinding binding) {
        @Nullable ObjectKey role = binding.role();
        if (role == null) {
            return;
        }
        for (RbacSubject subject : binding.subjects()) {
            ObjectNode bound = subject(subject, binding.key().namespace());
            ArrayNode grants = binding.key().namespace().isEmpty()
                    ? list(bound, "cluster")
                    : list(object(bound, "namespaces"), binding.key().namespace());
            grants.add(role.toString());
        }
    }

    private ObjectNode subject(RbacSubject subject, String namespace) {
        return switch (subject.kind()) {
            case RbacSubject.USER -> object(users, subject.name());
            case RbacSubject.GROUP -> object(groups, subject.name());
            case RbacSubject.SERVICE_ACCOUNT -> object(users, subject.serviceAccountUser(namespace));
            default -> throw new IllegalArgumentException("a subject of kind \"" + subject.kind() + "\"");
        };
    }

    /** Returns the member with this name, which may be any text, including a JSON pointer. */
    private static ObjectNode object(ObjectNode within, String name) {
        return within.get(name) instanceof ObjectNode found ? found : within.putObject(name);
    }

    private static ArrayNode list(ObjectNode within, String name) {
        return within.get(name) instanceof ArrayNode found ? found : within.putArray(name);
    }
}
