package io.plat.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.stored.StoredForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Role bindings in a restored store that the replaced store did not have. They may have been revoked after the backup. */
final class RestoredBindings {
    private static final Map<String, String> KINDS = Map.of(
            "rolebindings.rbac.authorization.k8s.io", "RoleBinding",
            "clusterrolebindings.rbac.authorization.k8s.io", "ClusterRoleBinding");

    private RestoredBindings() {}

    /** Grant of a binding: its subjects and role. */
    private record Grant(JsonNode subjects, JsonNode role) {}

    /** Returns the bindings of a store; none if the store is absent or unreadable. */
    static Map<Key, Object> of(StorageSupplier<Contents> store) {
        Map<Key, Object> found = new TreeMap<>();
        try (Contents contents = store.open()) {
            contents.each(kept -> {
                if (KINDS.containsKey(kept.key().resource())) {
                    JsonNode binding = StoredForm.decode(kept.bytes(), 0);
                    found.put(kept.key(), new Grant(binding.path("subjects"), binding.path("roleRef")));
                }
            });
        } catch (StorageException none) {
            // The store is going to be replaced, whatever its problem.
            found.clear();
        }
        return found;
    }

    /** Returns a line for each binding that is new or grants something else. */
    static String text(Map<Key, Object> before, Map<Key, Object> after) {
        List<String> lines = new ArrayList<>();
        after.forEach((key, grant) -> {
            if (!grant.equals(before.get(key))) {
                String name = key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
                lines.add("  " + KINDS.get(key.resource()) + " " + name
                        + (before.containsKey(key) ? ", with other subjects or another role\n" : "\n"));
            }
        });
        return lines.isEmpty()
                ? ""
                : "role bindings that the replaced store did not have: " + lines.size() + "\n" + String.join("", lines);
    }
}
