package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permission check of owner references ({@code OwnerReferencesPermissionEnforcement}). An owner reference causes deletion with the owner,
 * so setting one requires permission to delete the object; {@code blockOwnerDeletion} requires permission to set the owner's finalizers.
 *
 * @param checks permission checks for the writer
 * @param types resolves the kinds of owners
 */
record OwnerPermission(PermissionChecks checks, ServedTypes types) {
    private static final String FIELD = "ownerReferences";

    void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        JsonNode owners = owners(after);
        JsonNode known = before == null ? owners(null) : owners(before);
        if (owners.equals(known) || (owners.isEmpty() && known.isEmpty())) {
            return;
        }
        Optional<String> refusal = checks.refusal(List.of(deletion(target, part)));
        if (refusal.isPresent()) {
            throw PermissionChecks.forbidden(
                    target, "cannot set an ownerRef on a resource you can't delete: " + refusal.get() + ", <nil>");
        }
        Set<String> blocked = new HashSet<>();
        known.forEach(owner -> {
            if (blocks(owner)) {
                blocked.add(owner.path("uid").asText());
            }
        });
        for (JsonNode owner : owners) {
            if (blocks(owner) && !blocked.contains(owner.path("uid").asText())) {
                admitBlocking(target, owner);
            }
        }
    }

    private static JsonNode owners(@Nullable ObjectNode object) {
        JsonNode found = object == null
                ? MissingNode.getInstance()
                : object.path("metadata").path(FIELD);
        return found.isArray() ? found : MissingNode.getInstance();
    }

    private static boolean blocks(JsonNode owner) {
        return owner.path("blockOwnerDeletion").asBoolean();
    }

    private static ResourceAttributes deletion(Target target, String part) {
        ResourceType type = target.type();
        // A namespace is authorized as if it were within itself.
        boolean namespace = type.group().isEmpty() && type.resource().equals("namespaces");
        return new ResourceAttributes(
                namespace ? target.name() : target.namespace(),
                "delete",
                type.group(),
                type.version(),
                type.resource(),
                part,
                target.name());
    }

    private void admitBlocking(Target target, JsonNode owner) throws StatusException {
        String apiVersion = owner.path("apiVersion").asText();
        String kind = owner.path("kind").asText();
        int slash = apiVersion.indexOf('/');
        List<ResourceType> mapped =
                types.types(slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1)).stream()
                        .filter(type -> type.kind().equals(kind) && !type.virtual())
                        .toList();
        if (mapped.isEmpty()) {
            throw PermissionChecks.forbidden(
                    target,
                    "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion "
                            + apiVersion + " Kind " + kind + ": no matches for kind \"" + kind + "\" in version \""
                            + apiVersion + "\"");
        }
        for (ResourceType type : mapped) {
            Optional<String> refusal = checks.refusal(List.of(new ResourceAttributes(
                    type.namespaced() ? target.namespace() : "",
                    "update",
                    type.group(),
                    type.version(),
                    type.resource(),
                    "finalizers",
                    owner.path("name").asText())));
            if (refusal.isPresent()) {
                throw PermissionChecks.forbidden(
                        target,
                        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: "
                                + refusal.get() + ", <nil>");
            }
        }
    }
}
