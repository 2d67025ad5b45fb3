package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.LastApplied;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.MetadataRules;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Shape;
import io.plat.review.status.StatusException;

/**
 * Server-side apply of a configuration to any state.
 *
 * @param config configuration in stored form
 * @param identity clock
 */
record ServerSideApply(
        Updater.WriteTarget written, DecodedObject config, WriteOptions options, ObjectIdentity identity) {
    /**
     * Result of an apply.
     *
     * @param object new state
     * @param owners source of its field owners
     */
    record Applied(ObjectNode object, ManagedFieldsUpdate owners) {}

    /**
     * Applies the configuration.
     *
     * @param before current state; not modified
     * @throws StatusException 409 with all conflicts
     */
    Applied to(ObjectNode before) throws StatusException {
        Ownership ownership = ManagedFieldsUpdate.of(written.target(), written.part(), options, identity);
        ObjectNode sent = config.object().deepCopy();
        return switch (ownership.apply(before, sent, Ownership.of(before), options.force())) {
            case Ownership.Outcome.Refused refused -> throw ApiErrors.applyConflict(refused.conflicts());
            case Ownership.Outcome.Applied applied -> {
                MetadataRules.checkManagers(written.target(), applied.owners().size());
                ObjectNode object = (ObjectNode) applied.object();
                ResourceType type = written.target().type();
                if (type.form() == null) {
                    Shape.apply(type, ObjectConversion.schema(type), object);
                }
                if (options.manager().equals(LastApplied.KUBECTL)
                        && written.part().isEmpty()) {
                    LastApplied.update(object, served(sent));
                }
                yield new Applied(object, (rules, old, intake, after) -> applied.owners());
            }
        };
    }

    /** Returns an object with kind and apiVersion, as a client sends it. */
    private ObjectNode served(ObjectNode sent) {
        ResourceType type = written.target().type();
        ObjectNode served = Json.object();
        served.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        served.setAll(ObjectConversion.serve(type, sent));
        return served;
    }
}
