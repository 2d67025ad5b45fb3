package io.plat.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.stored.StoredForm;
import io.plat.http.process.StartException;
import io.plat.review.source.Quoted;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Report of the access that a restore brings back, which may have been revoked since the backup was made. It lists role bindings, roles,
 * and accounts and secrets to which tokens are bound that only the restored store has. It also lists restrictions that only the replaced
 * store had: admission policies, rules of custom types, labels of namespaces.
 */
final class RestoredAccess {
    private static final String RBAC = ".rbac.authorization.k8s.io";
    private static final String ADMISSION = ".admissionregistration.k8s.io";

    /** Headings of the list, each with the fields of an object that count. */
    private enum Section {
        BINDINGS("role bindings", "", ", with other subjects or another role"),
        ROLES("roles or rules", "", ", with additional rules"),
        IDENTITIES("accounts, secrets and pods", ", and tokens issued for them are valid again", ""),
        POLICIES("admission policies and bindings", "", ", in another form"),
        RESTRICTIONS("forms of custom types and namespaces", "", "");

        private final String what;
        private final String effect;
        private final String difference;

        Section(String what, String effect, String difference) {
            this.what = what;
            this.effect = effect;
            this.difference = difference;
        }

        /** Returns whether lost access counts, rather than restored access. */
        private boolean restricts() {
            return this == POLICIES || this == RESTRICTIONS;
        }

        /** Reads the fields that count; an object that is not JSON grants nothing, and {@code check} reports it. */
        Grant read(byte[] stored) {
            try {
                return fields(StoredForm.decode(stored, 0));
            } catch (UncheckedIOException | ClassCastException damaged) {
                return new Grant(MissingNode.getInstance(), MissingNode.getInstance());
            }
        }

        private Grant fields(JsonNode object) {
            return switch (this) {
                case BINDINGS -> new Grant(object.path("subjects"), object.path("roleRef"));
                case ROLES -> new Grant(object.path("rules"), object.path("aggregationRule"));
                case IDENTITIES -> new Grant(object.path("metadata").path("uid"), MissingNode.getInstance());
                case POLICIES -> new Grant(object.path("spec"), MissingNode.getInstance());
                case RESTRICTIONS ->
                    new Grant(object.path("spec"), object.path("metadata").path("labels"));
            };
        }
    }

    private record Kind(String name, Section section) {}

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry("rolebindings" + RBAC, new Kind("RoleBinding", Section.BINDINGS)),
            Map.entry("clusterrolebindings" + RBAC, new Kind("ClusterRoleBinding", Section.BINDINGS)),
            Map.entry("roles" + RBAC, new Kind("Role", Section.ROLES)),
            Map.entry("clusterroles" + RBAC, new Kind("ClusterRole", Section.ROLES)),
            Map.entry("serviceaccounts", new Kind("ServiceAccount", Section.IDENTITIES)),
            Map.entry("secrets", new Kind("Secret", Section.IDENTITIES)),
            Map.entry("pods", new Kind("Pod", Section.IDENTITIES)),
            Map.entry(
                    "validatingadmissionpolicies" + ADMISSION, new Kind("ValidatingAdmissionPolicy", Section.POLICIES)),
            Map.entry(
                    "validatingadmissionpolicybindings" + ADMISSION,
                    new Kind("ValidatingAdmissionPolicyBinding", Section.POLICIES)),
            Map.entry("namespaces", new Kind("Namespace", Section.RESTRICTIONS)),
            Map.entry(
                    "customresourcedefinitions.apiextensions.k8s.io",
                    new Kind("CustomResourceDefinition", Section.RESTRICTIONS)));

    private RestoredAccess() {}

    /** Fields that count: subjects and role of a binding, rules and aggregation rule of a role, a UID, the spec of a policy. */
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

    /** Replacement of a store's contents; returns the report for the user. */
    interface Replacement {
        String run() throws StartException;
    }

    /** Replaces a store's contents; returns the report for the user, including the access that this restores. */
    static String listed(StoreTransfer.StorageSupplier<Contents> store, Replacement move) throws StartException {
        Map<Key, Grant> before = of(store);
        return move.run() + text(before, of(store));
    }

    /** Returns the relevant objects of a store; none if it is unreadable. */
    private static Map<Key, Grant> of(StoreTransfer.StorageSupplier<Contents> store) {
        Map<Key, Grant> grants = new TreeMap<>();
        try (Contents contents = store.open()) {
            contents.forEach(kept -> {
                @Nullable Kind kind = KINDS.get(kept.key().resource());
                if (kind != null) {
                    grants.put(kept.key(), kind.section.read(kept.bytes()));
                }
            });
        } catch (StorageException none) {
            // The store is going to be replaced, so its problem does not matter.
            grants.clear();
        }
        return grants;
    }

    /** Returns the differences between the replaced and the restored store, or a line that reports that they are unknown. */
    static String text(Map<Key, Grant> before, Map<Key, Grant> after) {
        if (before.isEmpty()) {
            return "access that was revoked since the backup is not listed: no earlier role objects could be read\n";
        }
        Map<Section, List<String>> lines = new EnumMap<>(Section.class);
        after.forEach((key, grant) -> {
            Section section = kind(key).section;
            @Nullable Grant known = before.get(key);
            boolean back = section == Section.ROLES ? !grant.isWithin(known) : !grant.equals(known);
            if (back && !section.restricts()) {
                add(lines, key, known != null);
            }
        });
        before.forEach((key, grant) -> {
            boolean kept = after.containsKey(key);
            Section section = kind(key).section;
            if (section.restricts() && !grant.equals(after.get(key)) && (kept || section == Section.POLICIES)) {
                add(lines, key, kept);
            }
        });
        var text = new StringBuilder();
        lines.forEach((section, of) -> text.append(section.what)
                .append(
                        section.restricts()
                                ? " that only the replaced store had"
                                : " that the replaced store did not have")
                .append(section.effect)
                .append(": ")
                .append(of.size())
                .append('\n')
                .append(String.join("", of)));
        return text.toString();
    }

    private static Kind kind(Key key) {
        return Objects.requireNonNull(KINDS.get(key.resource()));
    }

    private static void add(Map<Section, List<String>> lines, Key key, boolean differs) {
        Kind kind = kind(key);
        String namespace = key.namespace().isEmpty() ? "" : Quoted.name(key.namespace()) + "/";
        String name = namespace + Quoted.name(key.name());
        lines.computeIfAbsent(kind.section, section -> new ArrayList<>())
                .add("  " + kind.name + " " + name + (differs ? kind.section.difference : "") + "\n");
    }
}
