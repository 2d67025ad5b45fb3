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

/** Owner references that are the same in every field count once; the client is told, in the words of the field. */
public final class OwnerReferences {
    /** In the order in which two are compared; there are no others. */
    private static final List<String> FIELDS =
            List.of("uid", "apiVersion", "kind", "name", "controller", "blockOwnerDeletion");

    private static final String WARNING =
            ".metadata.ownerReferences contains duplicate entries%s; API server dedups owner references in 1.20+, and may"
                    + " reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %s";

    private OwnerReferences() {}

    /**
     * Takes out of an object that was sent, or made by a patch, what its owner references say twice.
     *
     * @param metadata changed in place; in shape
     * @return the warning, if something was taken out
     */
    public static Optional<String> unite(ObjectNode metadata, boolean patched) {
        if (!(metadata.path("ownerReferences") instanceof ArrayNode references) || references.size() < 2) {
            return Optional.empty();
        }
        Set<String> seen = new HashSet<>();
        List<JsonNode> kept = new ArrayList<>();
        List<String> twice = new ArrayList<>();
        for (JsonNode reference : references) {
            // Texts and not trees are compared by hash: of texts no choice makes a lookup slow.
            if (seen.add(text(reference))) {
                kept.add(reference);
            } else {
                twice.add(Json.text(reference, "uid"));
            }
        }
        if (twice.isEmpty()) {
            return Optional.empty();
        }
        references.removeAll();
        references.addAll(kept);
        // Existing servers look at a patched object only once whoever may change it has been asked.
        String when = patched ? " after mutating admission happens" : "";
        return Optional.of(WARNING.formatted(when, String.join(", ", twice)));
    }

    private static String text(JsonNode reference) {
        var text = new StringBuilder();
        FIELDS.forEach(field -> text.append(reference.path(field)).append('\n'));
        return text.toString();
    }
}
