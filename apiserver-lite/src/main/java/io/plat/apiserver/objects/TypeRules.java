package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeForm;
import io.plat.apiserver.type.TypeTraits;
import io.plat.engine.rbac.RbacKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Defaults and validation of one type. Objects are in stored form and have the shape of its schema. Traits of a type that are data are in
 * {@link TypeTraits}.
 */
public interface TypeRules {
    /** Rules for writes by the server itself to a subresource, which need no validation. */
    TypeRules UNVALIDATED = new OfPart() {};

    /** Rules of a subresource. */
    interface OfPart extends TypeRules {
        @Override
        default boolean ofPart() {
            return true;
        }
    }

    /** Returns whether these are the rules of a subresource, which does not change the desired state. */
    default boolean ofPart() {
        return false;
    }

    /** Returns the definition of the rows that validate the objects; {@code ""} for none. */
    default String definition() {
        return "";
    }

    /** Sets the defaults of a subresource, in the object that was sent for it. */
    default void complete(ObjectNode object, ObjectNode before) {}

    /**
     * Sets defaults and resets fields that clients cannot set.
     *
     * @param object object to be stored; modified
     * @param before current state; null for a creation
     */
    default void prepare(ObjectNode object, @Nullable ObjectNode before) {
        Rules.fill(definition(), object, before);
    }

    /** Sets or removes fields, as {@link #prepare} does, that no client owns. */
    default void generate(ObjectNode object, @Nullable ObjectNode before) {}

    /**
     * Validates the object beyond its metadata.
     *
     * @param before current state; null for a creation
     */
    default void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        Rules.check(definition(), Field.of(object, before, causes));
    }

    static TypeRules of(ResourceType type) {
        if (type.form() != null) {
            return new FormRules(type.form(), "", type.storage());
        }
        if (ObjectConversion.isEvent(type)) {
            return Table.EVENTS;
        }
        TypeRules rules = Table.RULES.get(type.storage());
        return rules == null ? new DeclarativeRules(type, TypeTraits.of(type)) : rules;
    }

    static TypeRules of(ResourceType type, ResourceType.Subresource part) {
        if (type.form() != null) {
            return new FormRules(type.form(), part.name(), "");
        }
        TypeRules rules = Table.PARTS.get(type.storage() + "/" + part.name());
        if (rules != null) {
            return rules;
        }
        return switch (part.name()) {
            case "status" -> new DeclarativeRules.StatusRules(type);
            case "approval" -> new ApprovalRules();
            default -> throw new IllegalArgumentException("no rules for " + part.name() + " of " + type.id());
        };
    }

    /**
     * Rules of a custom type.
     *
     * @param part subresource that is written, {@code ""} for the object itself
     * @param definition resource of the type; {@code ""} for a subresource
     */
    record FormRules(TypeForm form, String part, String definition) implements TypeRules {
        @Override
        public boolean ofPart() {
            return !part.isEmpty();
        }

        @Override
        public void complete(ObjectNode object, ObjectNode before) {
            if (ofPart()) {
                form.complete(object, before);
            }
        }

        @Override
        public void prepare(ObjectNode object, @Nullable ObjectNode before) {
            form.prepare(object, before, part);
        }

        @Override
        public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
            form.check(object, before, part)
                    .forEach(cause -> causes.add(cause.reason(), cause.message(), cause.field()));
        }
    }

    /** Rules of types that need code, by stored resource. */
    final class Table {
        private static final Map<String, TypeRules> RULES = Map.ofEntries(
                Map.entry("namespaces", new NamespaceRules()),
                Map.entry("secrets", new SecretRules()),
                Map.entry("services", new ServiceRules()),
                Map.entry("pods", new PodRules()),
                Map.entry("roles.rbac.authorization.k8s.io", new RoleRules(RbacKind.ROLE)),
                Map.entry("clusterroles.rbac.authorization.k8s.io", new RoleRules(RbacKind.CLUSTER_ROLE)),
                Map.entry("rolebindings.rbac.authorization.k8s.io", new RoleRules(RbacKind.ROLE_BINDING)),
                Map.entry(
                        "clusterrolebindings.rbac.authorization.k8s.io", new RoleRules(RbacKind.CLUSTER_ROLE_BINDING)));

        private static final TypeRules EVENTS = new TypeRules() {
            @Override
            public String definition() {
                return "events/strict";
            }

            @Override
            public void prepare(ObjectNode object, @Nullable ObjectNode before) {
                Rules.fill("events", object, before);
            }
        };

        private static final Map<String, TypeRules> PARTS = Map.of(
                "namespaces/status",
                new NamespaceRules.SubresourceRules("status", "spec"),
                "namespaces/finalize",
                new NamespaceRules.SubresourceRules("finalize", "status"),
                "pods/ephemeralcontainers",
                new PodRules.Ephemeral(),
                "pods/resize",
                new PodRules.Resize());

        private Table() {}
    }
}
