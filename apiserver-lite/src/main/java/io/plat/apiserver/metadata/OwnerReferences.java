package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes duplicate owner references, with a warning worded as in Kubernetes. */
public final class OwnerReferences {
    /** All fields, in the order of comparison. */
    private static final List<String> FIELDS =
            List.of("uid", "apiVersion", "kind", "name", "controller", "blockOwnerDeletion");

    private static final String WARNING =
            ".metadata.ownerReferences contains duplicate entries%s; API server dedups owner references in 1.20+, and may"
                    + " reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %s";

    private OwnerReferences() {}

    /**
     * Removes duplicate owner references from an object that was sent or patched.
     *
     * @param metadata metadata of valid shape; modified
     * @return warning, if something was removed
     */
    public static Optional<String> removeDuplicates(ObjectNode metadata, boolean patched) {
        if (!(metadata.path("ownerReferences") instanceof ArrayNode references) || references.size() < 2) {
            return Optional.empty();
        }
        Set<String> distinct = new HashSet<>();
        List<JsonNode> kept = new ArrayList<>();
        List<String> duplicateUids = new ArrayList<>();
        for (JsonNode reference : references) {
            // Strings are hashed rather than trees, as string collisions are cheap.
            if (distinct.add(text(reference))) {
                kept.add(reference);
            } else {
                duplicateUids.add(Json.text(reference, "uid"));
            }
        }
        if (duplicateUids.isEmpty()) {
            return Optional.empty();
        }
        references.removeAll();
        references.addAll(kept);
        // kube-apiserver checks a patched object only after authorizing the change.
        String moment = patched ? " after mutating admission happens" : "";
        return Optional.of(WARNING.formatted(moment, String.join(", ", duplicateUids)));
    }

    private static String text(JsonNode reference) {
        var text = new StringBuilder();
        FIELDS.forEach(field -> text.append(reference.path(field)).append('\n'));
        return text.toString();
    }
}
