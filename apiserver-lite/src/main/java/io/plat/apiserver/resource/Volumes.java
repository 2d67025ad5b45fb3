package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Volumes and claims of volumes: they wait for each other, for good, as nothing here binds them. */
final class Volumes {
    private static final String VOLUMES = "persistentvolumes";
    private static final String CLAIMS = "persistentvolumeclaims";

    private Volumes() {}

    static void prepare(String storage, ObjectNode object, @Nullable ObjectNode before) {
        switch (storage) {
            case VOLUMES, CLAIMS -> {
                if (before == null) {
                    Json.child(object, "status").put("phase", "Pending");
                }
            }
            default -> {}
        }
    }
}
