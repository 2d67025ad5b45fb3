package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Map;

/** The set of all fields of an object that somebody applies: what is written in it is what is owned. */
final class Extraction {
    private Extraction() {}

    static FieldSet of(TypeSchema schema, JsonNode object) {
        var set = new FieldSet();
        value(schema, object, set);
        return set;
    }

    private static void value(TypeSchema schema, JsonNode value, FieldSet set) {
        if (Elements.granularObject(schema, value)) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                FieldSet below = set.begin(FieldSet.field(field.getKey()));
                value(Elements.field(schema, field.getKey()), field.getValue(), below);
                // A name that somebody gave is owned beside what stands under it, and an empty value is all that there
                // is.
                if (field.getValue().isEmpty() || !Elements.fixed(schema, field.getKey())) {
                    below.addSelf();
                }
            }
        } else if (Elements.granularList(schema, value)) {
            Elements.of(schema, value).forEach((step, item) -> {
                FieldSet below = set.begin(step);
                below.addSelf();
                value(schema.element(), item, below);
            });
        } else {
            set.addSelf();
        }
    }
}
