package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.metadata.Identities;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Shape;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.List;

/**
 * The body of an operation that is answered at once, such as a review. Its fields are validated as those of an object that is stored.
 *
 * @param json the body as it was sent
 * @param metadata its metadata with the managers of its fields; no members for none
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, by whoever answers.
public record OperationBody(byte[] json, ObjectNode metadata) {
    /**
     * Reads a body.
     *
     * @param target the type of the operation, and the namespace that the path names
     * @throws StatusException 400 for another kind, or for unknown fields where these are refused
     */
    static OperationBody of(Target target, byte[] json, WriteOptions options, Identities identities)
            throws StatusException {
        ResourceType type = target.type();
        Sent sent = read(json);
        ObjectNode object = sent.object();
        Intake.checkKind(type, object);
        if (!Intake.isKnown(type.apiVersion(), type.kind())) {
            return new OperationBody(json, Json.object());
        }
        object.remove(List.of("kind", "apiVersion"));
        List<String> warnings;
        try {
            warnings = sent.warnings(Shape.apply(type, object));
        } catch (StatusException wrongType) {
            // Whoever reads the fields refuses them in its own words.
            return new OperationBody(json, Json.object());
        }
        Intake.warn(type, warnings, options);
        ObjectNode metadata = Json.child(object, "metadata");
        Intake.checkNamespace(target, metadata);
        if (metadata.size() > (target.namespace().isEmpty() ? 0 : 1)) {
            metadata.set(
                    Ownership.FIELD,
                    Owners.of(target, "", options, identities)
                            .updated(MissingNode.getInstance(), object, Json.MAPPER.createArrayNode()));
        }
        return new OperationBody(json, metadata);
    }

    private static Sent read(byte[] json) {
        try {
            return ObjectBody.object(json);
        } catch (StatusException unreadable) {
            // The same holds for what is no JSON.
            return Sent.of(Json.object());
        }
    }
}
