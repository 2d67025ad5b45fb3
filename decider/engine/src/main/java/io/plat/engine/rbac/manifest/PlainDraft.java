package io.plat.engine.rbac.manifest;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.ApiGroups;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A role object that is being read the fast way. It takes what is beyond doubt only: fields that it knows, each once, and an object
 * that is valid; anything else it refuses without a word, as the general reader then says what is wrong. Used once.
 */
final class PlainDraft {
    private static final String VERSION = ApiGroups.RBAC + "/v1";

    private final Interned interned;
    private final Set<String> met = new HashSet<>();
    private final Map<String, String> head = new HashMap<>();
    private @Nullable Map<String, String> labels;
    private @Nullable List<RbacRule> rules;
    private @Nullable List<RbacSubject> subjects;
    private @Nullable RoleRef roleRef;
    private final List<PlainSlot> slots = new ArrayList<>(4);

    /** Is told where the value of a field stands; true always. */
    @FunctionalInterface
    interface Slots {
        boolean at(String field, int from, int to);
    }

    PlainDraft(Interned interned) {
        this.interned = interned;
    }

    /** Whether a field of the object is met for the first time. */
    boolean once(String field) {
        return met.add(field);
    }

    /** Sets {@code apiVersion}, {@code kind}, {@code name} or {@code namespace}; false where it is set already. */
    boolean set(String field, String value) {
        return head.put(field, value) == null;
    }

    /** Sets the labels; false where they are set already. */
    boolean labels(Map<String, String> all) {
        boolean first = labels == null;
        labels = all;
        return first;
    }

    /** Notes where a value stands in which objects of this shape may differ; always true. */
    boolean slot(PlainSlot.Kind kind, int from, int to) {
        return slots.add(new PlainSlot(kind, subjects == null ? 0 : subjects.size(), from, to));
    }

    /** The same for a field of the reference to a role. */
    boolean roleSlot(String field, int from, int to) {
        return !field.equals("name") || slot(PlainSlot.Kind.ROLE, from, to);
    }

    /** The same for a field of a subject, before the subject is added. */
    boolean subjectSlot(String field, int from, int to) {
        return switch (field) {
            case "name" -> slot(PlainSlot.Kind.SUBJECT_NAME, from, to);
            case "namespace" -> slot(PlainSlot.Kind.SUBJECT_NAMESPACE, from, to);
            default -> true;
        };
    }

    /** Those values, in the order in which they stand. */
    List<PlainSlot> slots() {
        return slots;
    }

    /** Whether there is nothing but what every object has. */
    boolean isBare() {
        return rules == null && subjects == null && roleRef == null;
    }

    /** The rules to be filled in; null where they were read already. */
    @Nullable
    List<RbacRule> newRules() {
        if (rules != null) {
            return null;
        }
        rules = new ArrayList<>();
        return rules;
    }

    /** The subjects to be filled in; null where they were read already. */
    @Nullable
    List<RbacSubject> newSubjects() {
        if (subjects != null) {
            return null;
        }
        subjects = new ArrayList<>(1);
        return subjects;
    }

    /** Sets the role that a binding gives; false where it is set already. */
    boolean roleRef(Map<String, String> fields) {
        if (roleRef != null) {
            return false;
        }
        roleRef = new RoleRef(
                fields.getOrDefault("apiGroup", ""),
                fields.getOrDefault("kind", ""),
                "",
                fields.getOrDefault("name", ""));
        return true;
    }

    /** The value of a field of the head, {@code ""} where it is not set. */
    String head(String field) {
        return head.getOrDefault(field, "");
    }

    /** The object, or null where it is not beyond doubt. */
    @Nullable
    RbacObject object(Location where) {
        if (!head("apiVersion").equals(VERSION)) {
            return null;
        }
        return switch (head("kind")) {
            case "Role" -> role(RbacKind.ROLE, where);
            case "ClusterRole" -> role(RbacKind.CLUSTER_ROLE, where);
            case "RoleBinding" -> binding(RbacKind.ROLE_BINDING, where);
            case "ClusterRoleBinding" -> binding(RbacKind.CLUSTER_ROLE_BINDING, where);
            default -> null;
        };
    }

    private @Nullable ObjectKey key(RbacKind kind) {
        return key(kind, head("namespace"), head("name"));
    }

    /** What identifies an object, or null where that is not valid. */
    static @Nullable ObjectKey key(RbacKind kind, String namespace, String name) {
        boolean valid = isName(name) && (kind.namespaced() ? isName(namespace) : namespace.isEmpty());
        return valid ? new ObjectKey(kind, namespace, name) : null;
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && !name.equals(".")
                && !name.equals("..")
                && name.indexOf('/') < 0
                && name.indexOf('%') < 0;
    }

    private @Nullable RbacRole role(RbacKind kind, Location where) {
        ObjectKey key = key(kind);
        if (key == null || subjects != null || roleRef != null) {
            return null;
        }
        return new RbacRole(key, labels == null ? Map.of() : labels, rules == null ? List.of() : rules, null, where);
    }

    private @Nullable RbacBinding binding(RbacKind kind, Location where) {
        ObjectKey key = key(kind);
        if (key == null || rules != null || roleRef == null || !isGiven(roleRef, kind)) {
            return null;
        }
        List<RbacSubject> given = subjects == null ? List.of() : subjects;
        for (RbacSubject subject : given) {
            if (!isValid(subject, kind)) {
                return null;
            }
        }
        return new RbacBinding(key, given, roleRef, where);
    }

    /** Whether a binding of a kind may give a role that is named so. */
    static boolean isGiven(RoleRef roleRef, RbacKind binding) {
        boolean known = roleRef.kind().equals(RbacKind.CLUSTER_ROLE.kind())
                || (binding.namespaced() && roleRef.kind().equals(RbacKind.ROLE.kind()));
        return known && isName(roleRef.name()) && isRbac(roleRef.apiGroup());
    }

    /** Whether a binding of a kind may have a subject. */
    static boolean isValid(RbacSubject subject, RbacKind binding) {
        return switch (subject.kind()) {
            case RbacSubject.USER, RbacSubject.GROUP -> !subject.name().isEmpty() && isRbac(subject.apiGroup());
            case RbacSubject.SERVICE_ACCOUNT ->
                !subject.name().isEmpty()
                        && subject.apiGroup().isEmpty()
                        && (binding.namespaced() || !subject.namespace().isEmpty())
                        && isAccountPart(subject.name())
                        && isAccountPart(subject.namespace());
            default -> false;
        };
    }

    private static boolean isAccountPart(String part) {
        return part.indexOf(':') < 0 && part.indexOf('/') < 0;
    }

    private static boolean isRbac(String group) {
        return group.isEmpty() || group.equals(ApiGroups.RBAC) || group.equals(ApiGroups.RBAC_PLAT);
    }

    /** A rule from its lists by name, or null where it is not one about resources that is beyond doubt. */
    @Nullable
    RbacRule rule(Map<String, List<String>> lists, Location where) {
        List<String> verbs = list(lists, "verbs");
        List<String> groups = list(lists, "apiGroups");
        List<String> resources = list(lists, "resources");
        List<String> names = list(lists, "resourceNames");
        List<String> paths = list(lists, "nonResourceURLs");
        boolean onResources = !groups.isEmpty() && !resources.isEmpty() && paths.isEmpty();
        boolean onPaths = groups.isEmpty()
                && resources.isEmpty()
                && names.isEmpty()
                && !paths.isEmpty()
                && head("namespace").isEmpty();
        if (verbs.isEmpty() || !(onResources || onPaths)) {
            return null;
        }
        return new RbacRule(verbs, groups, resources, names, paths, where);
    }

    private List<String> list(Map<String, List<String>> lists, String name) {
        return interned.list(lists.getOrDefault(name, List.of()));
    }

    /** Whether rules have lists of that name. */
    static boolean isRuleField(String name) {
        return switch (name) {
            case "verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs" -> true;
            default -> false;
        };
    }

    /** A subject from its fields. */
    static RbacSubject subject(Map<String, String> fields) {
        return new RbacSubject(
                fields.getOrDefault("kind", ""),
                fields.getOrDefault("apiGroup", ""),
                fields.getOrDefault("namespace", ""),
                fields.getOrDefault("name", ""));
    }

    /** Whether subjects have a field of that name. */
    static boolean isSubjectField(String name) {
        return isReferenceField(name) || name.equals("namespace");
    }

    /** Whether references to roles have a field of that name. */
    static boolean isReferenceField(String name) {
        return name.equals("kind") || name.equals("apiGroup") || name.equals("name");
    }

    /** Whether a field of metadata is there for servers and tools, and nothing follows from it. */
    static boolean isUnread(String name) {
        return switch (name) {
            case "uid", "resourceVersion", "creationTimestamp", "generation", "selfLink" -> true;
            default -> false;
        };
    }
}
