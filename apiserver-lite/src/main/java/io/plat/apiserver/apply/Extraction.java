package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The set of all fields of an object that somebody applies: what is written in it is what is owned. */
final class Extraction {
    private final FieldSet set = new FieldSet();
    private final List<String> path = new ArrayList<>();

    private Extraction() {}

    static FieldSet of(TypeSchema schema, JsonNode object) {
        var extraction = new Extraction();
        extraction.value(schema, object);
        return extraction.set;
    }

    private void value(TypeSchema schema, JsonNode value) {
        if (Elements.granularObject(schema, value)) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                path.add(FieldSet.field(field.getKey()));
                value(Elements.field(schema, field.getKey()), field.getValue());
                // A name that somebody gave is owned beside what stands under it, and an empty value is all that there
                // is.
                if (field.getValue().isEmpty() || !Elements.fixed(schema, field.getKey())) {
                    set.add(path);
                }
                path.removeLast();
            }
        } else if (Elements.granularList(schema, value)) {
            Elements.of(schema, value).forEach((step, item) -> {
                path.add(step);
                set.add(path);
                value(schema.element(), item);
                path.removeLast();
            });
        } else {
            set.add(path);
        }
    }
}
