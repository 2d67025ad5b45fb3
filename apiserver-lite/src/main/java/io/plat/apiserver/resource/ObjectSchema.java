package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.Definitions;
import io.plat.apiserver.schema.TypeSchema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What whole objects of a type look like that says of itself what stands beside their metadata, which is the same for every type.
 * Owners of fields are told apart by it; it checks and fills in nothing.
 */
public final class ObjectSchema implements TypeSchema {
    private final TypeSchema declared;
    private final Map<String, TypeSchema> fields;

    private ObjectSchema(TypeSchema declared) {
        this.declared = declared;
        var all = new LinkedHashMap<>(declared.fields());
        for (String name : List.of("apiVersion", "kind", "metadata")) {
            all.put(name, Schemas.builtIn().withMetadata().at(name).orElse(UNKNOWN));
        }
        this.fields = Collections.unmodifiableMap(all);
    }

    /**
     * The schema of whole objects.
     *
     * @param declared in the form of OpenAPI v3, as a definition has it; not changed any more
     */
    public static TypeSchema of(JsonNode declared) {
        return new ObjectSchema(Definitions.none().read(declared));
    }

    @Override
    public Form form() {
        return Form.OBJECT;
    }

    @Override
    public Map<String, TypeSchema> fields() {
        return fields;
    }

    @Override
    public boolean keepsUnknown() {
        return declared.form() != Form.OBJECT || declared.keepsUnknown();
    }

    @Override
    public Optional<TypeSchema> at(String name) {
        TypeSchema known = fields.get(name);
        return known == null ? declared.at(name) : Optional.of(known);
    }

    @Override
    public TypeSchema element() {
        return UNKNOWN;
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public ListKind listKind() {
        return ListKind.ATOMIC;
    }

    @Override
    public List<String> keys() {
        return List.of();
    }

    @Override
    public Merging merging() {
        return declared.merging();
    }

    @Override
    public Set<String> required() {
        return Set.of();
    }

    @Override
    public List<String> allowed() {
        return List.of();
    }

    @Override
    public String format() {
        return "";
    }

    @Override
    public Map<String, JsonNode> standards() {
        return Map.of();
    }
}
