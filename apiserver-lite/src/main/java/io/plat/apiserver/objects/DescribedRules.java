package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeTraits;
import org.jspecify.annotations.Nullable;

/** Rules of types that data alone describes: schema, traits, and rows of defaults and validation. */
final class DescribedRules implements TypeRules {
    private static final String STATUS = "status";
    private static final String NODES = "nodes";

    private final ResourceType type;
    private final TypeTraits traits;

    DescribedRules(ResourceType type) {
        this.type = type;
        this.traits = TypeTraits.of(type);
    }

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before) {
        if (type.subresource(STATUS).isPresent()) {
            if (before != null) {
                keep(STATUS, object, before);
            } else if (type.storage().equals(NODES) && object.path(STATUS) instanceof ObjectNode status) {
                // Who registers a node says what it has.
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
            PairedFields.ofNode(spec);
        }
    }

    @Override
    public void generate(ObjectNode object) {
        if (type.storage().equals("jobs.batch")
                && object.path("spec") instanceof ObjectNode spec
                && !spec.path("manualSelector").asBoolean()) {
            JobSelector.generate(object, spec);
        }
    }

    /** Puts a field back to what it was. */
    static void keep(String field, ObjectNode object, ObjectNode before) {
        if (before.has(field)) {
            object.set(field, before.path(field).deepCopy());
        } else {
            object.remove(field);
        }
    }

    /** Puts an object back to what it was but for its metadata, and without a field. */
    static void putBack(ObjectNode object, ObjectNode before, String without) {
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
        if (!status.has("allocatable") && status.has("capacity")) {
            status.set("allocatable", status.path("capacity").deepCopy());
        }
    }

    /** Nothing yet; clients expect what every status has, and its counts. */
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
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        Rules.check(type.storage(), Field.of(object, before, causes));
    }

    /** Rules of the subresource {@code status}, under which everything but that field stays as it is. */
    static final class OfStatus implements TypeRules {
        private final ResourceType type;

        OfStatus(ResourceType type) {
            this.type = type;
        }

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
            putBack(object, before, STATUS);
            if (!status.isMissingNode()) {
                object.set(STATUS, status);
            }
            if (type.storage().equals("pods") && status instanceof ObjectNode said) {
                PairedFields.ofPod(said);
            }
            Approvals.keep(type, object, before);
        }

        @Override
        public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
            Rules.check(type.storage() + "/" + STATUS, Field.of(object, before, causes));
        }
    }
}
