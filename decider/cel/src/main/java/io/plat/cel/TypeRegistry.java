package io.plat.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Registry of named types for one compiler. Not thread-safe while types are added. */
@SuppressWarnings("Immutable") // Types are added and never changed.
public class TypeRegistry implements CelTypeProvider {
    private final Map<String, CelType> named = new LinkedHashMap<>();

    /** Adds a type with these fields. */
    public final CelType add(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> all = ImmutableMap.copyOf(fields);
        return add(name, all.keySet(), field -> Optional.ofNullable(all.get(field)));
    }

    /** Adds a type whose fields have any type. */
    public final void addOpen(String name, Set<String> fields) {
        add(name, fields, field -> Optional.of(SimpleType.DYN));
    }

    /** Adds a type whose fields' types are resolved on first use; a type of the same name stays. */
    protected final CelType add(String name, Set<String> fields, StructType.FieldResolver resolver) {
        named.putIfAbsent(name, StructType.create(name, ImmutableSet.copyOf(fields), resolver));
        return StructTypeReference.create(name);
    }

    @Override
    public final ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(named.values());
    }

    @Override
    public final Optional<CelType> findType(String typeName) {
        return Optional.ofNullable(named.get(typeName));
    }
}
