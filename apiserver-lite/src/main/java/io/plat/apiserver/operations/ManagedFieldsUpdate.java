package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.apply.View;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.status.StatusException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Field owners of a state that is about to be stored. */
final class ManagedFieldsUpdate {
    private ManagedFieldsUpdate() {}

    /**
     * Writes the owners into the state, without those of versions that the type lacks; keeps the previous list if only times differ.
     *
     * @param before previous state; a missing node for a new object
     * @param decoded sent object; of a subresource, before the fields outside of it are reset
     * @param given the owners; null for those after an update, whose writer owns the changed fields
     */
    static void write(
            ResourceType type,
            Ownership ownership,
            JsonNode before,
            DecodedObject decoded,
            ObjectNode after,
            @Nullable ArrayNode given) {
        ArrayNode old = Ownership.of(before);
        boolean typed = !type.isCustom() || before.isMissingNode() || ownership.isTyped(decoded.object(), old);
        ArrayNode owners = typed ? given : Json.MAPPER.createArrayNode();
        if (owners == null) {
            boolean isSubresource = !ownership.writer().subresource().isEmpty();
            ArrayNode known =
                    isSubresource ? old : Ownership.known(decoded.claims().managedFields(), before);
            owners = ownership.updated(before, decoded.object(), known);
        }
        owners.removeIf(owner ->
                !type.identity().mayBeWrittenIn(owner.path("apiVersion").asText("")));
        ObjectNode metadata = Json.child(after, "metadata");
        if (owners.isEmpty()) {
            metadata.remove(Ownership.FIELD);
        } else {
            boolean same = !old.isEmpty()
                    && Ownership.equalExceptTimes(owners, old)
                    && equalExceptManagedFields(before, after);
            metadata.set(Ownership.FIELD, same ? old : owners);
        }
    }

    /**
     * Returns the result of an apply.
     *
     * @throws StatusException 409 if other owners have fields that it would change
     */
    static Ownership.Outcome.Applied applied(Ownership.Outcome outcome) throws StatusException {
        return switch (outcome) {
            case Ownership.Outcome.Refused refused -> throw ApiErrors.applyConflict(refused.conflicts());
            case Ownership.Outcome.Applied applied -> applied;
        };
    }

    private static boolean equalExceptManagedFields(JsonNode before, ObjectNode after) {
        return Json.equalExcept(Set.of("metadata"), before, after)
                && Json.equalExcept(Set.of(Ownership.FIELD), before.path("metadata"), after.path("metadata"));
    }

    /** Returns the ownership rules of a write to a subresource, or to the object itself if that is {@code ""}. */
    static Ownership of(Target target, String subresource, WriteOptions options, ObjectIdentity identity) {
        ResourceType type = target.type();
        TypeTraits traits = TypeTraits.of(type.storage());
        View storedView = View.whole(ObjectConversion.schema(type));
        return new Ownership(
                ObjectConversion.structure(type),
                ObjectConversion.fieldNames(type),
                version -> type.isCustom() ? ObjectConversion.view(type, version) : storedView,
                new Ownership.Writer(
                        options.manager(),
                        type.apiVersion(),
                        subresource,
                        reset(type, subresource),
                        type.isCustom() ? Json.object() : traits.empty(),
                        identity.now()));
    }

    /** Returns the steps to the fields that a write resets, so that its writer cannot own them. */
    private static Set<String> reset(ResourceType type, String subresource) {
        TypeTraits traits = TypeTraits.of(type);
        Stream<String> fields = switch (subresource) {
            case "" -> Stream.concat(traits.kept().stream(), type.subresource("status").map(part -> "status").stream());
            case "status" -> traits.metadataKept().stream();
            case "approval" -> Stream.of("spec");
            case "finalize" -> Stream.of("status");
            default -> Stream.empty();
        };
        return fields.map(field -> "f:" + field).collect(Collectors.toSet());
    }
}
