package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import org.jspecify.annotations.Nullable;

/** Checks that each default is valid by its own schema: an object completed by an invalid one could not be written. */
public final class DefaultsCheck {
    private DefaultsCheck() {}

    /** Checks the defaults of a schema and of all schemas below it. */
    public static void check(@Nullable TypeSchema schema, FieldPath at, Causes causes) {
        if (schema == null) {
            return;
        }
        JsonNode value = schema.defaultValue();
        if (!value.isMissingNode()) {
            FieldPath of = at.field("default");
            JsonNode completed = value.deepCopy();
            Defaulting.complete(schema, completed);
            ValueCheck.check(schema, completed, of, causes);
            IdentityCheck.lists(schema, completed, of, causes);
            if (completed instanceof ObjectNode object
                    && !Pruning.prune(schema, object).isEmpty()) {
                causes.invalid(of, value.toString(), "must be pruned");
            }
        }
        schema.properties()
                .forEach((name, field) -> check(field, at.field("properties").key(name), causes));
        check(schema.items(), at.field("items"), causes);
        check(schema.additional(), at.field("additionalProperties"), causes);
    }
}
