package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permission check of owner references ({@code OwnerReferencesPermissionEnforcement}). An owner reference causes deletion with the owner,
 * so setting one requires permission to delete the object; {@code blockOwnerDeletion} requires permission to set the owner's finalizers.
 */
record OwnerPermission(PermissionChecks checks, ServedTypes types) {
    /** Permission that covers the finalizers of every owner, also of unknown types. */
    private static final ResourceAttributes FINALIZE_ANYTHING =
            new ResourceAttributes("", "update", "*", "*", "*", "finalizers", "*");

    void admit(Target target, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        JsonNode owners = owners(after);
        JsonNode previousOwners = owners(before);
        if (owners.equals(previousOwners) || (owners.isEmpty() && previousOwners.isEmpty())) {
            return;
        }
        Optional<String> reason = checks.refusal(List.of(deletion(target)));
        if (reason.isPresent()) {
            throw ApiErrors.forbidden(
                    target, "cannot set an ownerRef on a resource you can't delete: " + reason.get() + ", <nil>");
        }
        Set<OwnerReference> admitted = before == null ? Set.of() : OwnerReference.of(before);
        for (OwnerReference owner : OwnerReference.of(after)) {
            if (owner.blocks()
                    && !admitted.contains(owner)
                    && checks.refusal(List.of(FINALIZE_ANYTHING)).isPresent()) {
                admitBlocking(target, owner);
            }
        }
    }

    private static JsonNode owners(@Nullable ObjectNode object) {
        JsonNode references = object == null
                ? MissingNode.getInstance()
                : object.path("metadata").path("ownerReferences");
        return references.isArray() ? references : MissingNode.getInstance();
    }

    /** Returns the deletion of the object: it is deleted with its owner, whichever part of it is written. */
    private static ResourceAttributes deletion(Target target) {
        ResourceType type = target.type();
        // A namespace is authorized as if it were within itself.
        boolean namespace = type.group().isEmpty() && type.resource().equals("namespaces");
        return new ResourceAttributes(
                namespace ? target.name() : target.namespace(),
                "delete",
                type.group(),
                type.version(),
                type.resource(),
                "",
                target.name());
    }

    private void admitBlocking(Target target, OwnerReference owner) throws StatusException {
        List<ResourceType> ownerTypes = types.types(owner.group(), owner.version()).stream()
                .filter(type -> type.kind().equals(owner.kind()) && !type.virtual())
                .toList();
        if (ownerTypes.isEmpty()) {
            throw ApiErrors.forbidden(
                    target,
                    "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion "
                            + owner.apiVersion() + " Kind " + owner.kind() + ": no matches for kind \"" + owner.kind()
                            + "\" in version \"" + owner.apiVersion() + "\"");
        }
        for (ResourceType type : ownerTypes) {
            Optional<String> reason = checks.refusal(List.of(new ResourceAttributes(
                    type.namespaced() ? target.namespace() : "",
                    "update",
                    type.group(),
                    type.version(),
                    type.resource(),
                    "finalizers",
                    owner.name())));
            if (reason.isPresent()) {
                throw ApiErrors.forbidden(
                        target,
                        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
                                + " finalizers on: "
                                + reason.get() + ", <nil>");
            }
        }
    }
}
