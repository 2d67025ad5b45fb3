package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.LastApplied;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.conversion.Versions;
import io.plat.apiserver.metadata.Identities;
import io.plat.apiserver.metadata.MetadataRules;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;

/**
 * Something that is applied, to whatever state there is.
 *
 * @param written what is written
 * @param config what is applied, as it is stored
 * @param options how it is meant
 * @param identities the time
 */
record Application(Updater.Written written, Intake config, WriteOptions options, Identities identities) {
    /**
     * What comes of it.
     *
     * @param object the state
     * @param owners who owns its fields
     */
    record Made(ObjectNode object, Owners owners) {}

    /**
     * Applies it.
     *
     * @param before the state; not changed
     * @throws StatusException 409 with every field that others own
     */
    Made to(ObjectNode before) throws StatusException {
        Ownership ownership = Owners.of(written.target(), written.part(), options, identities);
        ObjectNode sent = config.object().deepCopy();
        return switch (ownership.apply(before, sent, Ownership.of(before), options.force())) {
            case Ownership.Outcome.Refused refused -> throw Refusals.applyConflict(refused.conflicts());
            case Ownership.Outcome.Made made -> {
                MetadataRules.checkManagers(written.target(), made.owners().size());
                ObjectNode object = (ObjectNode) made.object();
                if (options.manager().equals(LastApplied.KUBECTL)
                        && written.part().isEmpty()) {
                    LastApplied.note(object, served(sent));
                }
                yield new Made(object, (rules, old, intake, after) -> made.owners());
            }
        };
    }

    /** As a client wrote it: with its kind. */
    private ObjectNode served(ObjectNode sent) {
        ResourceType type = written.target().type();
        ObjectNode whole = Json.object();
        whole.put("apiVersion", type.apiVersion()).put("kind", type.kind());
        whole.setAll(Versions.serve(type, sent));
        return whole;
    }
}
