package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.FieldPath;
import org.jspecify.annotations.Nullable;

/** Says where a default is no value of its own schema: an object that is completed by it could not be written. */
public final class StandardsCheck {
    private StandardsCheck() {}

    /** Checks the defaults of a schema and of all below it. */
    public static void check(SchemaNode schema, FieldPath at, Findings findings) {
        JsonNode standard = schema.standard();
        if (!standard.isMissingNode()) {
            FieldPath of = at.field("default");
            JsonNode completed = standard.deepCopy();
            Defaulting.complete(schema, completed);
            ValueCheck.check(schema, completed, of, findings);
            ListKeys.check(schema, completed, of, findings);
            if (completed instanceof ObjectNode object
                    && !Pruning.prune(schema, object).isEmpty()) {
                findings.invalid(of, standard.toString(), "must be pruned");
            }
        }
        schema.properties()
                .forEach((name, field) -> check(field, at.field("properties").key(name), findings));
        below(schema.items(), at.field("items"), findings);
        below(schema.additional(), at.field("additionalProperties"), findings);
    }

    private static void below(@Nullable SchemaNode schema, FieldPath at, Findings findings) {
        if (schema != null) {
            check(schema, at, findings);
        }
    }
}
