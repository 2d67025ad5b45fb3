package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.tree.Json;
import java.util.List;

/**
 * What a client says of the fields that are the server's own. It is compared with what is so, and never stored. Nodes are missing
 * nodes and texts {@code ""} where nothing was said.
 *
 * @param uid which object it means
 * @param resourceVersion which state it means
 * @param deletionTimestamp when it thinks that the deletion began
 * @param gracePeriodSeconds how long it thinks that the deletion takes
 * @param managedFields who owns what, which a write may say anew
 */
public record Claims(
        String uid,
        String resourceVersion,
        JsonNode deletionTimestamp,
        JsonNode gracePeriodSeconds,
        JsonNode managedFields) {
    /** The fields of metadata that only the server sets and that are stored. */
    public static final List<String> SERVERS_OWN =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation");

    private static final String IMMUTABLE = "field is immutable";

    /**
     * Takes the server's own fields out of metadata.
     *
     * @param managedFields as they were sent: a list without elements says something
     */
    public static Claims takeFrom(ObjectNode metadata, JsonNode managedFields) {
        var claims = new Claims(
                Json.text(metadata, "uid"),
                Json.text(metadata, "resourceVersion"),
                metadata.path("deletionTimestamp"),
                metadata.path("deletionGracePeriodSeconds"),
                managedFields);
        metadata.remove("resourceVersion");
        metadata.remove(SERVERS_OWN);
        return claims;
    }

    /** The same of a state. */
    public Claims of(String state) {
        return new Claims(uid, state, deletionTimestamp, gracePeriodSeconds, managedFields);
    }

    /** Nothing but that a state is meant. */
    public static Claims ofState(String resourceVersion) {
        JsonNode nothing = MissingNode.getInstance();
        return new Claims("", resourceVersion, nothing, nothing, nothing);
    }

    /** The same of a revision. */
    public static Claims ofState(long revision) {
        return ofState(Long.toString(revision));
    }

    /** What of the server's own fields an update can't change, as the field compares them. */
    public void check(JsonNode before, Causes causes) {
        if (!uid.isEmpty() && !uid.equals(Json.text(before, "uid"))) {
            causes.invalid("metadata.uid", uid, IMMUTABLE);
        }
        if (!before.has("deletionTimestamp") && !deletionTimestamp.isMissingNode()) {
            causes.invalidLiteral("metadata.deletionTimestamp", deletionTimestamp.toString(), IMMUTABLE);
        }
        if (!gracePeriodSeconds.isMissingNode()
                && gracePeriodSeconds.asLong()
                        != before.path("deletionGracePeriodSeconds").asLong(-1)) {
            causes.invalidLiteral("metadata.deletionGracePeriodSeconds", gracePeriodSeconds.toString(), IMMUTABLE);
        }
    }
}
