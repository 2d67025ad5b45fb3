package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The schemas of the fields and the elements of a value; read when they are first asked for. */
final class Below {
    private final Definitions definitions;
    private final JsonNode schema;
    private final Set<String> required;
    private final Map<String, JsonNode> standards;
    private volatile @Nullable Map<String, TypeSchema> fields;
    private volatile @Nullable TypeSchema element;

    Below(Definitions definitions, JsonNode schema) {
        this.definitions = definitions;
        this.schema = schema;
        var names = new LinkedHashSet<String>();
        schema.path("required").forEach(name -> names.add(name.asText()));
        this.required = Collections.unmodifiableSet(names);
        var values = new LinkedHashMap<String, JsonNode>();
        schema.path("properties").properties().forEach(field -> {
            if (field.getValue().has("default")) {
                values.put(field.getKey(), field.getValue().path("default"));
            }
        });
        this.standards = Collections.unmodifiableMap(values);
    }

    Set<String> required() {
        return required;
    }

    Map<String, JsonNode> standards() {
        return standards;
    }

    Map<String, TypeSchema> fields() {
        Map<String, TypeSchema> known = fields;
        if (known == null) {
            var read = new LinkedHashMap<String, TypeSchema>();
            schema.path("properties")
                    .properties()
                    .forEach(field -> read.put(field.getKey(), definitions.read(field.getValue())));
            known = Collections.unmodifiableMap(read);
            fields = known;
        }
        return known;
    }

    /** What stands under {@code items} or {@code additionalProperties}. */
    TypeSchema element(String member) {
        TypeSchema known = element;
        if (known == null) {
            known = definitions.read(schema.path(member));
            element = known;
        }
        return known;
    }
}
