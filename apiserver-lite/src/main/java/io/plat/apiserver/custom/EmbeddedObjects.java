package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.custom.schema.SchemaNode;
import io.plat.apiserver.schema.FieldPath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What whole objects inside others have to say: what they are. */
final class EmbeddedObjects {
    private EmbeddedObjects() {}

    static void check(SchemaNode schema, JsonNode value, FieldPath at, Findings findings) {
        if (schema.embedded() && value.isObject()) {
            for (String field : List.of("apiVersion", "kind")) {
                if (value.path(field).asText("").isEmpty()) {
                    findings.required(at.field(field), "must not be empty");
                }
            }
        }
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                @Nullable SchemaNode held = schema.of(field.getKey());
                if (held != null && field.getValue().isContainerNode()) {
                    check(held, field.getValue(), at.field(field.getKey()), findings);
                }
            }
        } else if (value.isArray() && schema.items() != null) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.items(), value.get(i), at.at(i), findings);
            }
        }
    }
}
