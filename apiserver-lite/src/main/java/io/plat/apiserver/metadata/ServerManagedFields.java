package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.tree.Json;
import java.util.List;

/**
 * Values that a client sends for server-managed fields. They are compared with the stored ones, and never stored. Absent values are
 * missing nodes and {@code ""}.
 */
public record ServerManagedFields(
        String uid,
        String resourceVersion,
        JsonNode deletionTimestamp,
        JsonNode gracePeriodSeconds,
        JsonNode generation,
        JsonNode managedFields) {
    public static final List<String> NAMES =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation");

    private static final String IMMUTABLE = "field is immutable";

    /**
     * Removes server-managed fields from metadata.
     *
     * @param managedFields fields as sent: an empty list is significant
     */
    public static ServerManagedFields takeFrom(ObjectNode metadata, JsonNode managedFields) {
        String version = Json.text(metadata, "resourceVersion");
        var values = new ServerManagedFields(
                Json.text(metadata, "uid"),
                // 0 is no version.
                version.equals("0") ? "" : version,
                metadata.path("deletionTimestamp"),
                metadata.path("deletionGracePeriodSeconds"),
                metadata.path("generation"),
                managedFields);
        metadata.remove("resourceVersion");
        metadata.remove(NAMES);
        return values;
    }

    public ServerManagedFields of(String state) {
        return new ServerManagedFields(uid, state, deletionTimestamp, gracePeriodSeconds, generation, managedFields);
    }

    /** Returns a resourceVersion without other values. */
    public static ServerManagedFields ofState(String resourceVersion) {
        JsonNode nothing = MissingNode.getInstance();
        return new ServerManagedFields("", resourceVersion, nothing, nothing, nothing, nothing);
    }

    /** Returns a revision as a resourceVersion without other values. */
    public static ServerManagedFields ofState(long revision) {
        return ofState(Long.toString(revision));
    }

    /** Checks immutable server-managed fields of an update, compared as in Kubernetes. */
    public void check(JsonNode before, Causes causes) {
        Field metadata = Field.of("metadata", before, causes);
        if (!uid.isEmpty() && !uid.equals(Json.text(before, "uid"))) {
            causes.field("metadata.uid", uid).invalid(IMMUTABLE);
        }
        if (!before.has("deletionTimestamp") && !deletionTimestamp.isMissingNode()) {
            metadata.as("deletionTimestamp", deletionTimestamp).invalidValue(IMMUTABLE);
        }
        if (!gracePeriodSeconds.isMissingNode()
                && gracePeriodSeconds.asLong()
                        != before.path("deletionGracePeriodSeconds").asLong(-1)) {
            metadata.as("deletionGracePeriodSeconds", gracePeriodSeconds).invalidValue(IMMUTABLE);
        }
    }
}
