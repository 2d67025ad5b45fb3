package io.plat.apiserver.resource;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is particular about a type as far as it is data ({@code type-rules.json}).
 *
 * @param names what its objects may be called
 * @param createsOnUpdate whether an update may create
 * @param versionRequired whether an update has to say which state it replaces
 * @param showsDeleted whether a deletion is answered with the object
 * @param orphans whether what its objects own is left alone when one is deleted and nothing is said about it
 * @param fields the fields that a field selector may name
 * @param immutable the fields that never change, as paths
 * @param forbidden what is said of others that never change, by their paths
 * @param kept the fields of which it is passed over what an update says
 * @param status what the status of a new object has besides its counts; not to be changed
 */
record TypeTraits(
        NameRule names,
        boolean createsOnUpdate,
        boolean versionRequired,
        boolean showsDeleted,
        boolean orphans,
        Set<String> fields,
        List<String> immutable,
        Map<String, String> forbidden,
        List<String> kept,
        ObjectNode status) {
    private static final Map<String, TypeTraits> BUILT_IN = read();

    /** Those of types that nothing is said of. */
    static final TypeTraits PLAIN = of(Json.object());

    private static Map<String, TypeTraits> read() {
        try (InputStream in =
                Objects.requireNonNull(TypeTraits.class.getResourceAsStream("type-rules.json"), "type-rules.json")) {
            var traits = new HashMap<String, TypeTraits>();
            new JsonMapper(JsonFactories.create())
                    .readTree(in)
                    .properties()
                    .forEach(row -> traits.put(row.getKey(), of(row.getValue())));
            return Map.copyOf(traits);
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own data can't be read", e);
        }
    }

    private static TypeTraits of(JsonNode row) {
        return new TypeTraits(
                NameRule.valueOf(row.path("names").asText("SUBDOMAIN")),
                row.path("createsOnUpdate").asBoolean(),
                row.path("versionRequired").asBoolean(),
                row.path("showsDeleted").asBoolean(),
                row.path("orphans").asBoolean(),
                new TreeSet<>(MetadataRules.texts(row.path("fields"))),
                MetadataRules.texts(row.path("immutable")),
                row.path("forbidden").properties().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, field -> field.getValue().asText())),
                MetadataRules.texts(row.path("kept")),
                row.path("status") instanceof ObjectNode status ? status : Json.object());
    }

    /** Those of a stored type. */
    static TypeTraits of(String storage) {
        return BUILT_IN.getOrDefault(storage, PLAIN);
    }

    /** Says which fields changed that never change. A field that was not there yet may be set. */
    void checkImmutable(JsonNode object, JsonNode before, Causes causes) {
        for (String field : immutable) {
            JsonPointer at = JsonPointer.compile("/" + field.replace('.', '/'));
            JsonNode old = before.at(at);
            JsonNode now = object.at(at);
            if (!old.isMissingNode() && !now.equals(old)) {
                causes.invalidValue(field, now, "field is immutable");
            }
        }
        forbidden.forEach((field, why) -> {
            JsonPointer at = JsonPointer.compile("/" + field.replace('.', '/'));
            if (!object.at(at).equals(before.at(at))) {
                causes.forbidden(field, why);
            }
        });
    }
}
