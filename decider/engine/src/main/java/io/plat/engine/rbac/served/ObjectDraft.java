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

/** An object that is being read, in whatever form: what was found, and the first thing that is wrong with it. */
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

    /** Something is wrong with the object; the first problem is told. */
    void problem(String what) {
        if (problem.isEmpty()) {
            problem = what;
        }
    }

    /** Something is wrong where its name stands: which object it is can't be told. */
    void unreadableMetadata(String what) {
        metadataUnreadable = true;
        problem(what);
    }

    /** What is wrong with it, for an object that does not tell which one it is. */
    private String problem() {
        return problem.isEmpty() ? "it has no name, or one that it can't have" : problem;
    }

    /** The object as it was read; null where it does not tell which one it is. */
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

    /** Adds the object as it was read to others, or what is wrong with it to the problems of those without a name. */
    void addTo(List<ServedObject> items, List<String> nameless) {
        ServedObject object = finish();
        if (object == null) {
            nameless.add(problem());
        } else {
            items.add(object);
        }
    }

    /**
     * An event about the object.
     *
     * @throws MalformedRolesException for a type that is not known, an object that does not tell which it is, or no version
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
                    "an event of type " + Quoted.of(type) + " does not tell which object it is about: " + problem());
        }
        return object;
    }
}
