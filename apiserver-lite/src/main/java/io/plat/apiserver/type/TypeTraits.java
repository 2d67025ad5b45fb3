package io.plat.apiserver.type;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.NameRule;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Traits of a type, as data ({@code type-rules.json}).
 *
 * @param names what its objects may be called
 * @param createsOnUpdate whether an update may create
 * @param versionRequired whether an update has to say which state it replaces
 * @param showsDeleted whether a deletion is answered with the object
 * @param dependents what is done with what its objects own when one is deleted
 * @param fields the fields that a field selector may name
 * @param kept the fields of which it is passed over what an update says
 * @param status what the status of a new object has besides its counts; not to be changed
 * @param warning the warning of each answer about its objects; {@code ""} for none
 * @param generation the fields that change {@code metadata.generation}, perhaps none; null for a type without one. At the level of 1.32,
 *     at which pods have none yet
 */
public record TypeTraits(
        NameRule names,
        boolean createsOnUpdate,
        boolean versionRequired,
        boolean showsDeleted,
        Dependents dependents,
        Set<String> fields,
        List<String> kept,
        ObjectNode status,
        String warning,
        @Nullable List<JsonPointer> generation) {
    private static final Map<String, TypeTraits> BUILT_IN = read();

    /** Those of types that nothing is said of. */
    private static final TypeTraits PLAIN = of(Json.object());

    /** Those of types that are defined by objects. */
    private static final TypeTraits CUSTOM = of(Json.object().put("versionRequired", true));

    private static Map<String, TypeTraits> read() {
        var traits = new HashMap<String, TypeTraits>();
        ProgramData.json(TypeTraits.class, "type-rules.json")
                .properties()
                .forEach(row -> traits.put(row.getKey(), of(row.getValue())));
        return Map.copyOf(traits);
    }

    private static TypeTraits of(JsonNode row) {
        return new TypeTraits(
                NameRule.valueOf(row.path("names").asText("SUBDOMAIN")),
                row.path("createsOnUpdate").asBoolean(),
                row.path("versionRequired").asBoolean(),
                row.path("showsDeleted").asBoolean(),
                Dependents.valueOf(row.path("dependents").asText("DELETED")),
                new TreeSet<>(Json.texts(row.path("fields"))),
                Json.texts(row.path("kept")),
                row.path("status") instanceof ObjectNode status ? status : Json.object(),
                row.path("warning").asText(""),
                row.has("generation") ? pointers(row.path("generation")) : null);
    }

    private static List<JsonPointer> pointers(JsonNode paths) {
        return Json.texts(paths).stream()
                .map(path -> JsonPointer.compile("/" + path.replace('.', '/')))
                .toList();
    }

    /** Treatment of the dependents of a deleted object. */
    public enum Dependents {
        /** Deleted, unless it is asked for something else. */
        DELETED,
        /** Left alone, unless it is asked for something else. */
        ORPHANED,
        /** There is none: nothing is waited for, whatever is asked for. */
        NONE
    }

    /** The built-in types, by the resources that store them. */
    public static Map<String, TypeTraits> builtIn() {
        return BUILT_IN;
    }

    /** Those of the built-in type that a resource stores. */
    public static TypeTraits of(String storage) {
        return BUILT_IN.getOrDefault(storage, PLAIN);
    }

    /** Those of a type; its parts have the same. */
    public static TypeTraits of(ResourceType type) {
        return type.form() == null ? of(type.storage()) : CUSTOM;
    }

    /** The fields, beside name and namespace, that a field selector may name. */
    public static Set<String> selectableFields(ResourceType type) {
        return type.form() == null ? of(type).fields() : type.form().selectableFields();
    }
}
