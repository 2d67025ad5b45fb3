package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.WriteOptions;
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
 * @param metadata metadata with managed fields; empty if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, by its handler.
public record OperationBody(byte[] json, ObjectNode metadata) {
    /**
     * Parses a body.
     *
     * @param target type of the operation, and namespace of the path
     * @throws StatusException 400 for another kind, or for unknown fields under strict validation
     */
    static OperationBody of(Target target, byte[] json, WriteOptions options, ObjectIdentity identity)
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
        if (metadata.size() > (target.namespace().isEmpty() ? 0 : 1)) {
            metadata.set(
                    Ownership.FIELD,
                    ManagedFieldsUpdate.of(target, "", options, identity)
                            .updated(MissingNode.getInstance(), object, Json.MAPPER.createArrayNode()));
        }
        return new OperationBody(json, metadata);
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
