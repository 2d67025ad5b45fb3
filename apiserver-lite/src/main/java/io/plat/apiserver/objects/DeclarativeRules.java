package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeTraits;
import org.jspecify.annotations.Nullable;

/** Rules of types that are entirely described by data: schema, traits, and rows of defaults and validation. */
record DeclarativeRules(ResourceType type, TypeTraits traits) implements TypeRules {
    private static final String STATUS = "status";
    private static final String NODES = "nodes";

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before) {
        if (type.subresource(STATUS).isPresent()) {
            if (before != null) {
                keep(STATUS, object, before);
            } else if (type.storage().equals(NODES) && object.path(STATUS) instanceof ObjectNode status) {
                // The client that registers a node reports its status.
                prepareNode(status);
            } else {
                object.set(STATUS, newStatus());
            }
            if (before == null && type.storage().equals(LocalApiServices.STORAGE)) {
                LocalApiServices.begin(object);
            }
        }
        if (before != null) {
            traits.kept().forEach(field -> keep(field, object, before));
        }
        Rules.fill(type.storage(), object, before);
        if (type.storage().equals(NODES) && object.path("spec") instanceof ObjectNode spec) {
            pairRanges(spec);
        }
    }

    @Override
    public void generate(ObjectNode object, @Nullable ObjectNode before) {
        Rules.fill("unowned/" + type.storage(), object, before);
    }

    /** Resets a field to its previous value. */
    static void keep(String field, ObjectNode object, ObjectNode before) {
        if (before.has(field)) {
            object.set(field, before.path(field).deepCopy());
        } else {
            object.remove(field);
        }
    }

    /** Resets an object to its previous state, except for its metadata and one field. */
    static void restore(ObjectNode object, ObjectNode before, String without) {
        ObjectNode metadata = Json.child(object, "metadata");
        object.removeAll();
        object.set("metadata", metadata);
        before.properties().forEach(field -> {
            if (!field.getKey().equals("metadata") && !field.getKey().equals(without)) {
                object.set(field.getKey(), field.getValue().deepCopy());
            }
        });
    }

    private void prepareNode(ObjectNode status) {
        newStatus().properties().forEach(field -> {
            if (!status.has(field.getKey())) {
                status.set(field.getKey(), field.getValue());
            }
        });
    }

    /** Returns the initial status, which clients expect. */
    private ObjectNode newStatus() {
        ObjectNode status = traits.status().deepCopy();
        type.schema().at(STATUS).ifPresent(schema -> {
            for (String name : schema.required()) {
                if (schema.at(name)
                        .filter(field -> field.form() == TypeSchema.Form.INTEGER)
                        .isPresent()) {
                    status.put(name, 0);
                }
            }
        });
        return status;
    }

    @Override
    public String definition() {
        return type.storage();
    }

    /** Synchronizes {@code podIP} with {@code podIPs}, which starts with it; the single field takes precedence. */
    private static void pairAddresses(ObjectNode status) {
        String address = Json.text(status, "podIP");
        String first = Json.text(status.path("podIPs").path(0), "ip");
        if (address.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        } else if (!address.equals(first)) {
            status.putArray("podIPs").addObject().put("ip", address);
        }
    }

    /** Synchronizes {@code podCIDR} with {@code podCIDRs} in the same way. */
    private static void pairRanges(ObjectNode spec) {
        String range = Json.text(spec, "podCIDR");
        String first = spec.path("podCIDRs").path(0).asText("");
        if (range.isEmpty() && !first.isEmpty()) {
            spec.put("podCIDR", first);
        } else if (!range.equals(first)) {
            spec.putArray("podCIDRs").add(range);
        }
    }

    /** Rules of the subresource {@code status}, which resets everything but that field. */
    record StatusRules(ResourceType type) implements TypeRules {
        @Override
        public boolean ofPart() {
            return true;
        }

        @Override
        public void prepare(ObjectNode object, @Nullable ObjectNode before) {
            if (before == null) {
                return;
            }
            JsonNode status = object.path(STATUS);
            restore(object, before, STATUS);
            ObjectNode metadata = Json.child(object, "metadata");
            ObjectNode known = Json.child(before, "metadata");
            TypeTraits.of(type).metadataKept().forEach(field -> keep(field, metadata, known));
            object.set(
                    STATUS,
                    status.isMissingNode()
                            ? TypeTraits.of(type).empty().path(STATUS).deepCopy()
                            : status);
            if (type.storage().equals("pods") && status instanceof ObjectNode message) {
                pairAddresses(message);
            }
            ApprovalRules.keep(type, object, before);
        }

        @Override
        public String definition() {
            return type.storage() + "/" + STATUS;
        }
    }
}
