package io.plat.apiserver.type;

import io.plat.apiserver.schema.TypeSchema;
import java.util.HashMap;
import java.util.List;

/** Schemas of whole objects of custom types: what a definition declares, and the metadata that every type has. */
public final class ObjectSchema {
    private ObjectSchema() {}

    /**
     * Returns the schema of whole objects.
     *
     * @param declared the schema of a definition
     */
    public static TypeSchema of(TypeSchema declared) {
        var inherited = new HashMap<String, TypeSchema>();
        for (String name : List.of("apiVersion", "kind", "metadata")) {
            inherited.put(name, Schemas.builtIn().withMetadata().at(name).orElse(TypeSchema.UNKNOWN));
        }
        return declared.whole(inherited);
    }
}
