package io.plat.apiserver.type;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.engine.lookup.Frozen;
import io.plat.review.NameRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Traits of a type, as data ({@code type-rules.json}).
 *
 * @param names name rule of its objects
 * @param allowCreateOnUpdate whether an update may create
 * @param versionRequired whether an update requires a resourceVersion
 * @param returnDeletedObject whether a deletion returns the object
 * @param graceful whether a deletion has a grace period, 0 here, which the deleted object shows
 * @param fields fields that field selectors support; those of a single apiVersion follow it
 * @param paths paths of those fields in stored objects, where they differ from the name: alternatives, and constants after {@code =}
 * @param metadataChecks number of times that kube-apiserver checks the metadata of an update, and reports the same causes
 * @param immutableOnce whether kube-apiserver reports a change of immutable metadata only once
 * @param bareFinalizers whether finalizers may lack the domain of their owner
 * @param metadataKept fields of {@code metadata} that writes of the status cannot change
 * @param storedIn apiVersion of stored objects; {@code ""} for the served one
 * @param status status of a new object, in addition to its counts; not to be modified
 * @param empty a new object without written fields: those that are always present, and those that the server sets; not to be modified
 * @param warning warning of each response about its objects; {@code ""} for none
 * @param generation fields that change {@code metadata.generation}, possibly none; null for a type without one. As of Kubernetes 1.32,
 *     where pods have none
 */
public record TypeTraits(
        NameRule names,
        boolean allowCreateOnUpdate,
        boolean versionRequired,
        boolean returnDeletedObject,
        boolean graceful,
        Dependents dependents,
        Set<String> fields,
        String unknownField,
        Map<String, String> paths,
        int metadataChecks,
        boolean immutableOnce,
        boolean bareFinalizers,
        List<String> kept,
        List<String> metadataKept,
        String storedIn,
        ObjectNode status,
        ObjectNode empty,
        List<String> unprinted,
        String warning,
        @Nullable List<JsonPointer> generation) {
    private static final ObjectNode EMPTY = Json.parse("{\"metadata\": {}, \"spec\": {}, \"status\": {}}");

    private static final Map<String, TypeTraits> BUILT_IN = read();

    /** Traits of types without an entry. */
    private static final TypeTraits PLAIN = of(Json.object());

    private static final TypeTraits CUSTOM = of(
            Json.parse("{\"versionRequired\": true, \"bareFinalizers\": true, \"metadataChecks\": 3, \"metadataKept\":"
                    + " [\"labels\", \"annotations\", \"finalizers\", \"ownerReferences\"]}"));

    private static Map<String, TypeTraits> read() {
        var traits = new HashMap<String, TypeTraits>();
        ProgramData.json(TypeTraits.class, "type-rules.json")
                .properties()
                .forEach(row -> traits.put(row.getKey(), of(row.getValue())));
        return Frozen.copyOf(traits);
    }

    private static TypeTraits of(JsonNode row) {
        return new TypeTraits(
                NameRule.valueOf(row.path("names").asText("SUBDOMAIN")),
                row.path("allowCreateOnUpdate").asBoolean(),
                row.path("versionRequired").asBoolean(),
                row.path("returnDeletedObject").asBoolean(),
                row.path("graceful").asBoolean(),
                Dependents.valueOf(row.path("dependents").asText("DELETED")),
                new TreeSet<>(Json.texts(row.path("fields"))),
                row.path("unknownField").asText("field label not supported: ${field}"),
                row.path("paths")
                        .propertyStream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, path -> path.getValue().asText())),
                row.path("metadataChecks").asInt(4),
                row.path("immutableOnce").asBoolean(),
                row.path("bareFinalizers").asBoolean(),
                Json.texts(row.path("kept")),
                Json.texts(row.path("metadataKept")),
                row.path("storedIn").asText(""),
                row.path("status") instanceof ObjectNode status ? status : Json.object(),
                row.path("empty") instanceof ObjectNode empty ? empty : EMPTY,
                Json.texts(row.path("unprinted")),
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
        DELETED,
        ORPHANED,
        /** The type has no dependents: a deletion never waits, regardless of the requested propagation. */
        NONE
    }

    public static Map<String, TypeTraits> builtIn() {
        return BUILT_IN;
    }

    public static TypeTraits of(String storage) {
        return BUILT_IN.getOrDefault(storage, PLAIN);
    }

    public static TypeTraits of(ResourceType type) {
        return type.form() == null ? of(type.storage()) : CUSTOM;
    }

    /** Returns the fields, in addition to name and namespace, that field selectors support. */
    public static Set<String> selectableFields(ResourceType type) {
        if (type.form() != null) {
            return type.form().selectableFields();
        }
        return of(type).fields().stream()
                .filter(field -> field.indexOf(' ') < 0 || field.startsWith(type.apiVersion() + " "))
                .map(field -> field.substring(field.indexOf(' ') + 1))
                .collect(Collectors.toSet());
    }
}
