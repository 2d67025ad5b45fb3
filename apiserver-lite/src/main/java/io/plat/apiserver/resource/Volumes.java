package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Volumes and claims of volumes: they wait for each other, for good, as nothing here binds them. */
final class Volumes {
    private Volumes() {}

    static void prepare(String storage, ObjectNode object, @Nullable ObjectNode before) {
        switch (storage) {
            case "persistentvolumes", "persistentvolumeclaims" -> {
                if (before == null) {
                    Json.child(object, "status").put("phase", "Pending");
                }
            }
            default -> {}
        }
    }
}
