package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.NodeKey;
import io.plat.apiserver.schema.TypeSchema;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that embedded objects state their kinds, and that sets and keyed lists contain no duplicates. */
public final class IdentityCheck {
    private IdentityCheck() {}

    private interface Visitor {
        void visit(TypeSchema schema, JsonNode value, FieldPath at);
    }

    /** Visits objects and lists, outermost first. */
    private static void walk(TypeSchema schema, JsonNode value, FieldPath at, Visitor visitor) {
        visitor.visit(schema, value, at);
        @Nullable TypeSchema items = schema.items();
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                @Nullable TypeSchema fieldSchema = schema.of(field.getKey());
                if (fieldSchema != null && field.getValue().isContainerNode()) {
                    walk(fieldSchema, field.getValue(), at.field(field.getKey()), visitor);
                }
            }
        } else if (value.isArray() && items != null) {
            for (int i = 0; i < value.size(); i++) {
                walk(items, value.get(i), at.at(i), visitor);
            }
        }
    }

    public static Map<FieldPath, JsonNode> metadata(TypeSchema root, JsonNode whole) {
        var found = new LinkedHashMap<FieldPath, JsonNode>();
        walk(root, whole, FieldPath.ROOT, (schema, value, at) -> {
            if (schema.embedded() && value.hasNonNull("metadata")) {
                found.put(at, value.path("metadata"));
            }
        });
        return found;
    }

    public static void embedded(TypeSchema root, JsonNode whole, FieldPath start, Causes causes) {
        walk(root, whole, start, (schema, value, at) -> {
            if (value.isObject() && schema.embedded()) {
                Rules.check("EmbeddedResource", new Field(at, value, MissingNode.getInstance(), causes));
            }
        });
    }

    public static void lists(TypeSchema root, JsonNode whole, FieldPath start, Causes causes) {
        walk(root, whole, start, (schema, value, at) -> {
            if (value.isArray() && schema.listKind() != TypeSchema.ListKind.ATOMIC) {
                unique(schema, value, at, causes);
            }
        });
    }

    private static void unique(TypeSchema schema, JsonNode list, FieldPath at, Causes causes) {
        boolean byKeys = schema.listKind() == TypeSchema.ListKind.MAP;
        Map<NodeKey, Integer> firstIndices = new HashMap<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode element = list.get(i);
            if (byKeys && !element.isObject() && !element.isNull()) {
                causes.invalid(
                        at.at(i), FieldErrorMessages.shown(element), "must be an object for an array of list-type map");
                return;
            }
            JsonNode key = byKeys ? key(schema.keys(), element) : element;
            if (firstIndices.merge(NodeKey.of(key), 1, Integer::sum) == 2) {
                causes.duplicate(at.at(i), FieldErrorMessages.shown(key));
            }
        }
    }

    static ObjectNode key(List<String> names, JsonNode element) {
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        names.stream().filter(element::has).forEach(name -> key.set(name, element.path(name)));
        return key;
    }
}
