package io.plat.apiserver.expression;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.plat.apiserver.schema.TypeSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The types that objects have by their schemas. Types are made when they are first named, as schemas may refer to themselves. */
// Types are added and never changed; a compiler and its types belong to one thread.
@SuppressWarnings("Immutable")
final class ObjectTypes {
    private final Map<String, StructType> named = new HashMap<>();

    /** Returns the type of the values of a schema. */
    CelType of(String name, TypeSchema schema) {
        return switch (schema.form()) {
            case OBJECT -> {
                if (schema.keepsUnknown()) {
                    yield SimpleType.DYN;
                }
                ImmutableSet<String> fields =
                        ImmutableSet.copyOf(schema.fields().keySet());
                named.putIfAbsent(
                        name,
                        StructType.create(
                                name,
                                fields,
                                field -> Optional.ofNullable(schema.fields().get(field))
                                        .map(type -> of(name + "." + field, type))));
                yield StructTypeReference.create(name);
            }
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
                    default -> SimpleType.STRING;
                };
        };
    }

    /** Returns these types and those of another provider. */
    CelTypeProvider with(CelTypeProvider others) {
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return others.types();
            }

            @Override
            public Optional<CelType> findType(String typeName) {
                Optional<CelType> known = Optional.ofNullable(named.get(typeName));
                return known.isPresent() ? known : others.findType(typeName);
            }
        };
    }
}
