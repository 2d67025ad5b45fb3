package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.EventForms;
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
 * Defaults and validation of one type. Objects are in their stored version and have the shape of its schema. What a type is as far as
 * that is data, {@link TypeTraits} has.
 */
public interface TypeRules {
    /** Rules of what the server itself writes into a part of an object: it is right as it is made. */
    TypeRules AS_MADE = new TypeRules() {
        @Override
        public boolean ofPart() {
            return true;
        }
    };

    /** Whether these are the rules of a part of an object, which is not what is wanted of it. */
    default boolean ofPart() {
        return false;
    }

    /**
     * Fills in what was not written and takes back what is not the client's to set.
     *
     * @param object the object to be stored; changed in place
     * @param before its present state; null for a creation
     */
    default void prepare(ObjectNode object, @Nullable ObjectNode before) {}

    /** Adds to a new object what only the server makes up, and what therefore nobody owns. */
    default void generate(ObjectNode object) {}

    /**
     * Reports what is wrong with the object beyond its metadata.
     *
     * @param object the object to be stored
     * @param before its present state; null for a creation
     * @param causes collects it
     */
    default void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {}

    /** Rules that are data alone. */
    private static TypeRules data(String definition) {
        return new TypeRules() {
            @Override
            public void prepare(ObjectNode object, @Nullable ObjectNode before) {
                Rules.fill(definition, object, before);
            }

            @Override
            public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
                Rules.check(definition, Field.of(object, before, causes));
            }
        };
    }

    /** Returns the rules of a stored type. */
    static TypeRules of(ResourceType type) {
        if (type.form() != null) {
            return new OfForm(type.form(), "");
        }
        if (EventForms.is(type)) {
            return Table.EVENTS;
        }
        TypeRules rules = Table.RULES.get(type.storage());
        return rules == null ? new DescribedRules(type) : rules;
    }

    /** Returns the rules of a subresource of a stored type. */
    static TypeRules of(ResourceType type, ResourceType.Subresource part) {
        if (type.form() != null) {
            return new OfForm(type.form(), part.name());
        }
        TypeRules rules = Table.PARTS.get(type.storage() + "/" + part.name());
        if (rules != null) {
            return rules;
        }
        return switch (part.name()) {
            case "status" -> new DescribedRules.OfStatus(type);
            case "approval" -> new Approvals();
            default -> throw new IllegalArgumentException("no rules for " + part.name() + " of " + type.id());
        };
    }

    /**
     * The rules of a type that is described elsewhere.
     *
     * @param form the description
     * @param part the part of an object that is written, {@code ""} for the object itself
     */
    record OfForm(TypeForm form, String part) implements TypeRules {
        @Override
        public boolean ofPart() {
            return !part.isEmpty();
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

    /** The rules of types that need more than a description, by the resource that stores them. */
    final class Table {
        private static final Map<String, TypeRules> RULES = Map.ofEntries(
                Map.entry("namespaces", new NamespaceRules()),
                Map.entry("configmaps", data("configmaps")),
                Map.entry("secrets", new SecretRules()),
                Map.entry("serviceaccounts", new ServiceAccountRules()),
                Map.entry("services", new ServiceRules()),
                Map.entry("pods", new PodRules()),
                Map.entry("events", data("events")),
                Map.entry("roles.rbac.authorization.k8s.io", new RoleRules(RbacKind.ROLE)),
                Map.entry("clusterroles.rbac.authorization.k8s.io", new RoleRules(RbacKind.CLUSTER_ROLE)),
                Map.entry("rolebindings.rbac.authorization.k8s.io", new RoleRules(RbacKind.ROLE_BINDING)),
                Map.entry(
                        "clusterrolebindings.rbac.authorization.k8s.io", new RoleRules(RbacKind.CLUSTER_ROLE_BINDING)));

        private static final TypeRules EVENTS = data("events/strict");

        private static final Map<String, TypeRules> PARTS = Map.of(
                "namespaces/status",
                new NamespaceRules.OfPart("status", "spec"),
                "namespaces/finalize",
                new NamespaceRules.OfPart("finalize", "status"),
                "pods/ephemeralcontainers",
                new EphemeralContainers(),
                "pods/resize",
                new PodResize());

        private Table() {}
    }
}
