package io.plat.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.stored.StoredForm;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Grants that a restored store has and the replaced one did not have: they may have been revoked after the backup was made. */
final class RestoredBindings {
    private static final Map<String, String> BINDINGS = Map.of(
            "rolebindings.rbac.authorization.k8s.io", "RoleBinding",
            "clusterrolebindings.rbac.authorization.k8s.io", "ClusterRoleBinding");
    private static final Map<String, String> ROLES = Map.of(
            "roles.rbac.authorization.k8s.io", "Role",
            "clusterroles.rbac.authorization.k8s.io", "ClusterRole");

    private RestoredBindings() {}

    /** Fields that grant: subjects and role of a binding, rules and aggregation rule of a role. */
    record Grant(JsonNode what, JsonNode by) {
        /** Returns whether a role granted all of this before. */
        private boolean isWithin(@Nullable Grant before) {
            if (before == null || !(by.isMissingNode() || by.isNull() || by.equals(before.by))) {
                return before == null && what.isEmpty();
            }
            Set<String> rules = new HashSet<>();
            before.what.forEach(rule -> rules.add(rule.toString()));
            return what.valueStream().allMatch(rule -> rules.contains(rule.toString()));
        }
    }

    /** The bindings and roles of a store; none where there is no store that can be read. */
    static Map<Key, Grant> of(StorageSupplier<Contents> store) {
        Map<Key, Grant> found = new TreeMap<>();
        try (Contents contents = store.open()) {
            contents.each(kept -> {
                boolean binding = BINDINGS.containsKey(kept.key().resource());
                if (binding || ROLES.containsKey(kept.key().resource())) {
                    JsonNode object = StoredForm.decode(kept.bytes(), 0);
                    found.put(
                            kept.key(),
                            binding
                                    ? new Grant(object.path("subjects"), object.path("roleRef"))
                                    : new Grant(object.path("rules"), object.path("aggregationRule")));
                }
            });
        } catch (StorageException none) {
            // The store is going to be replaced, whatever its problem.
            found.clear();
        }
        return found;
    }

    /** A line for each that is not among those of before, or grants something else; or that this is unknown. */
    static String text(Map<Key, Grant> before, Map<Key, Grant> after) {
        if (before.isEmpty()) {
            return "no role objects could be read in the store before: grants that were revoked since the backup are not listed\n";
        }
        List<String> bindings = new ArrayList<>();
        List<String> roles = new ArrayList<>();
        after.forEach((key, grant) -> {
            @Nullable Grant known = before.get(key);
            @Nullable String binding = BINDINGS.get(key.resource());
            @Nullable String role = ROLES.get(key.resource());
            if (binding != null && !grant.equals(known)) {
                bindings.add(line(binding, key, known == null ? "" : ", with other subjects or another role"));
            } else if (role != null && !grant.isWithin(known)) {
                roles.add(line(role, key, known == null ? "" : ", with further rules"));
            }
        });
        return listed("role bindings", bindings) + listed("roles or rules", roles);
    }

    private static String line(String kind, Key key, String difference) {
        String name = key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
        return "  " + kind + " " + Quoted.oneLine(name) + difference + "\n";
    }

    private static String listed(String what, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : what + " that the replaced store did not have: " + lines.size() + "\n" + String.join("", lines);
    }
}
