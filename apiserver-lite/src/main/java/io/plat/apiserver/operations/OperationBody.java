package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Shape;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * Body of an operation on a virtual object, such as a review. Its fields are validated like those of stored objects.
 *
 * @param json body as sent
 * @param object the object in valid shape, with defaults and managed fields; empty for a type that its handler validates
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, by its handler.
public record OperationBody(byte[] json, ObjectNode object) {
    /**
     * Parses a body.
     *
     * @param subresource the subresource; {@code ""} for none
     * @throws StatusException 400 for another kind, or for unknown fields under strict validation
     */
    public static OperationBody of(
            Target target, String subresource, byte[] json, WriteOptions options, ObjectIdentity identity)
            throws StatusException {
        ResourceType type = target.type();
        boolean known = DecodedObject.isKnown(type.apiVersion(), type.kind());
        ParsedObject sent = known ? ObjectBody.json(type, json) : read(json);
        ObjectNode object = sent.object();
        DecodedObject.checkKind(type, object);
        if (!known) {
            return new OperationBody(json, Json.object());
        }
        object.remove(List.of("kind", "apiVersion"));
        DecodedObject.warn(type, sent.warnings(type, Shape.apply(type, object)), options);
        ObjectNode metadata = Json.child(object, "metadata");
        DecodedObject.checkNamespace(target, metadata);
        Defaulting.apply(type.schema(), object);
        ArrayNode owners = ManagedFieldsUpdate.of(target, subresource, options, identity)
                .updated(MissingNode.getInstance(), object, Json.MAPPER.createArrayNode());
        if (!owners.isEmpty()) {
            metadata.set(Ownership.FIELD, owners);
        }
        return new OperationBody(json, object);
    }

    /** Returns the metadata, which is added if it is absent. */
    public ObjectNode metadata() {
        return Json.child(object, "metadata");
    }

    /** Returns a field of the spec, {@code ""} if absent. */
    public String text(String name) {
        return Json.text(object.path("spec"), name);
    }

    /** Returns whether the client sent metadata other than the namespace of the path. */
    public boolean hasMetadata(boolean namespaced) {
        return metadata().size() > (namespaced ? 1 : 0) + (metadata().has(Ownership.FIELD) ? 1 : 0);
    }

    private static ParsedObject read(byte[] json) {
        try {
            return ObjectBody.object(json);
        } catch (StatusException unreadable) {
            // The handler reports the error in its own wording.
            return ParsedObject.of(Json.object());
        }
    }
}
