package io.plat.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.ExpressionIdentifiers;
import io.plat.cel.TypeRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Registry that also has the types of schemas, which are created on first use, since schemas may be recursive. */
@SuppressWarnings("Immutable") // As in the super class.
public final class SchemaTypes extends TypeRegistry {
    private static final String METADATA = "objectMeta";
    private static final Map<String, CelType> OF_WHOLE_OBJECTS = Map.of(
            "apiVersion",
            SimpleType.STRING,
            "kind",
            SimpleType.STRING,
            "metadata",
            StructTypeReference.create(METADATA));

    private final boolean rules;

    private SchemaTypes(boolean rules) {
        this.rules = rules;
    }

    /** Returns a registry for admission policies, which see objects as they are. */
    public static SchemaTypes ofPolicies() {
        return new SchemaTypes(false);
    }

    /** Returns a registry for rules in schemas, which see only described fields, under escaped names. */
    public static SchemaTypes ofRules() {
        var types = new SchemaTypes(true);
        types.add(METADATA, Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING));
        return types;
    }

    /**
     * Returns the type of a schema's values.
     *
     * @param name name under which it is added if it has fields
     */
    public CelType of(String name, TypeSchema schema) {
        return of(name, schema, schema.embedded());
    }

    /** Returns the type of whole objects in rules, of whose metadata only names are visible. */
    public CelType ofWhole(String name, TypeSchema schema) {
        return of(name, schema, true);
    }

    private CelType of(String name, TypeSchema schema, boolean rootObject) {
        return switch (schema.form()) {
            case OBJECT -> schema.keepsUnknown() && !rules ? SimpleType.DYN : object(name, schema, rootObject && rules);
            case MAP -> MapType.create(SimpleType.STRING, of(name + ".@values", schema.element()));
            case LIST -> ListType.create(of(name + ".@items", schema.element()));
            case INTEGER -> SimpleType.INT;
            case NUMBER -> SimpleType.DOUBLE;
            case BOOLEAN -> SimpleType.BOOL;
            case QUANTITY -> SimpleType.STRING;
            case INT_OR_STRING, ANY -> SimpleType.DYN;
            case TEXT ->
                switch (schema.format()) {
                    case "byte" -> SimpleType.BYTES;
                    case "date", "date-time" -> SimpleType.TIMESTAMP;
                    case "datetime" -> rules ? SimpleType.TIMESTAMP : SimpleType.STRING;
                    case "duration" -> rules ? SimpleType.DURATION : SimpleType.STRING;
                    default -> SimpleType.STRING;
                };
        };
    }

    private CelType object(String name, TypeSchema schema, boolean rootObject) {
        Map<String, CelType> inherited = rootObject ? OF_WHOLE_OBJECTS : Map.of();
        var fields = new HashMap<String, String>();
        inherited.keySet().forEach(field -> fields.put(field, field));
        schema.fields()
                .keySet()
                .forEach(field -> fields.put(rules ? ExpressionIdentifiers.escaped(field) : field, field));
        fields.remove("");
        return add(
                name,
                fields.keySet(),
                field -> Optional.ofNullable(inherited.get(field))
                        .or(() -> Optional.ofNullable(fields.get(field))
                                .map(own -> of(
                                        name + "." + own,
                                        Objects.requireNonNull(
                                                schema.properties().get(own))))));
    }
}
