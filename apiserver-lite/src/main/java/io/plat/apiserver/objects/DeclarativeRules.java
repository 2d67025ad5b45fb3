package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.Defaulting;
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
                complete(status);
            } else {
                object.set(STATUS, newStatus());
            }
            if (before == null && type.storage().equals(ApiServiceAvailability.STORAGE)) {
                ApiServiceAvailability.begin(object);
            }
        }
        if (before != null) {
            traits.kept().forEach(field -> keep(field, object, before));
        }
        Rules.fill(type.storage(), object, before);
        if (type.storage().equals(NODES) && object.path("spec") instanceof ObjectNode spec) {
            pair(spec, "podCIDR", "podCIDRs", "");
        }
    }

    @Override
    public void generate(ObjectNode object, @Nullable ObjectNode before) {
        Rules.fill("unowned/" + type.storage(), object, before);
    }

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

    private void complete(ObjectNode status) {
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

    /** Synchronizes a field with the first element of a list, or with a part of it; the single field takes precedence. */
    private static void pair(ObjectNode object, String one, String list, String part) {
        String single = Json.text(object, one);
        JsonNode element = object.path(list).path(0);
        String first = (part.isEmpty() ? element : element.path(part)).asText("");
        if (single.isEmpty() && !first.isEmpty()) {
            object.put(one, first);
        } else if (!single.equals(first)) {
            ArrayNode elements = object.putArray(list);
            var _ = part.isEmpty() ? elements.add(single) : elements.addObject().put(part, single);
        }
    }

    /** Rules of the subresource {@code status}, which resets everything but that field. */
    record StatusRules(ResourceType type) implements TypeRules.OfPart {
        @Override
        public void complete(ObjectNode object, ObjectNode before) {
            TypeTraits traits = TypeTraits.of(type);
            if (object.path(STATUS).isMissingNode()) {
                object.set(STATUS, traits.empty().path(STATUS).deepCopy());
            }
            if (object.path(STATUS) instanceof ObjectNode status) {
                new DeclarativeRules(type, traits).complete(status);
                ObjectConversion.schema(type).at(STATUS).ifPresent(schema -> Defaulting.apply(schema, status));
                Rules.fill(definition(), object, before);
            }
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
            object.set(STATUS, status);
            if (type.storage().equals("pods") && status instanceof ObjectNode message) {
                pair(message, "podIP", "podIPs", "ip");
            }
            ApprovalRules.keep(type, object, before);
        }

        @Override
        public String definition() {
            return type.storage() + "/" + STATUS;
        }
    }
}
