package io.plat.engine.rbac.served;

import io.plat.engine.lookup.Interned;
import io.plat.engine.rbac.FieldProblem;
import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RbacValidation;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object that is being read, in any form, and its first problem. */
final class ObjectDraft {
    final RbacKind kind;
    final Interned strings;
    final List<RbacRule> rules = new ArrayList<>();
    final List<RbacSubject> subjects = new ArrayList<>();
    private final Map<String, String> labels = new HashMap<>();
    private @Nullable List<LabelSelector> aggregation;
    private RoleRef roleRef = new RoleRef("", "", "", "");
    private String name = "";
    private String namespace = "";
    private String version = "";
    private boolean metadataUnreadable;
    private String problem = "";

    ObjectDraft(RbacKind kind, Interned strings) {
        this.kind = kind;
        this.strings = strings;
    }

    void name(String value) {
        name = strings.string(value);
    }

    void namespace(String value) {
        namespace = strings.string(value);
    }

    void version(String value) {
        version = value;
    }

    void label(String key, String value) {
        labels.put(strings.string(key), strings.string(value));
    }

    void roleRef(String apiGroup, String refKind, String refName) {
        roleRef = new RoleRef(strings.string(apiGroup), strings.string(refKind), "", strings.string(refName));
    }

    /** The selectors of an aggregation rule, to add to; with the first call the role has one. */
    List<LabelSelector> aggregation() {
        List<LabelSelector> known = aggregation;
        if (known == null) {
            known = new ArrayList<>();
            aggregation = known;
        }
        return known;
    }

    /** Reports a problem of the object; only the first one is recorded. */
    void problem(String what) {
        if (problem.isEmpty()) {
            problem = what;
        }
    }

    /** Reports a problem in the metadata: the identity of the object is unknown. */
    void unreadableMetadata(String what) {
        metadataUnreadable = true;
        problem(what);
    }

    /** Returns the problem of an object without an identity. */
    private String problem() {
        return problem.isEmpty() ? "it has no name, or one that it can't have" : problem;
    }

    /** Returns the object as it was read; null if its identity is unknown. */
    private @Nullable ServedObject finish() {
        ObjectKey key = new ObjectKey(kind, namespace, name);
        boolean placed = kind.namespaced() != namespace.isEmpty();
        if (metadataUnreadable || name.isEmpty() || !placed) {
            return null;
        }
        RbacObject object = kind.isRole()
                ? new RbacRole(key, labels, rules, aggregation, null)
                : new RbacBinding(key, subjects, roleRef, null);
        for (FieldProblem invalid : RbacValidation.problemsOf(object)) {
            problem(invalid.field() + ": " + invalid.message());
        }
        return problem.isEmpty()
                ? new ServedObject(key, version, object, "")
                : new ServedObject(key, version, null, problem);
    }

    /** Adds the object to the items, or its problem to those of items without an identity. */
    void addTo(List<ServedObject> items, List<String> nameless) {
        ServedObject object = finish();
        if (object == null) {
            nameless.add(problem());
        } else {
            items.add(object);
        }
    }

    /**
     * Returns an event about the object.
     *
     * @throws MalformedRolesException if the type is unknown, the object has no identity, or there is no version
     */
    ServedEvent event(String type) throws MalformedRolesException {
        if (version.isEmpty()) {
            throw new MalformedRolesException("an event of type " + Quoted.of(type) + " has no resource version");
        }
        return switch (type) {
            case "ADDED", "MODIFIED" -> new ServedEvent.Put(finish(type));
            case "DELETED" -> new ServedEvent.Removal(finish(type));
            case "BOOKMARK" -> new ServedEvent.Bookmark(version);
            default -> throw new MalformedRolesException("an event has the unknown type " + Quoted.of(type));
        };
    }

    private ServedObject finish(String type) throws MalformedRolesException {
        ServedObject object = finish();
        if (object == null) {
            throw new MalformedRolesException(
                    "an event of type " + Quoted.of(type) + " does not identify its object: " + problem());
        }
        return object;
    }
}
