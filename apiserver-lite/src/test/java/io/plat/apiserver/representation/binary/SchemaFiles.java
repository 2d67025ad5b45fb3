package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The schemas in their files, read without the program's own reader. */
final class SchemaFiles {
    private static final String PLATFORM = "/io/plat/apiserver/type/resource-schemas.json";

    private SchemaFiles() {}

    /** Returns every definition by its name, including those of the additional types. */
    static Map<String, JsonNode> definitions() {
        var definitions = new TreeMap<String, JsonNode>();
        read(PLATFORM).properties().forEach(each -> definitions.put(each.getKey(), each.getValue()));
        read("additional-types.json")
                .path("definitions")
                .properties()
                .forEach(each -> definitions.put(each.getKey(), each.getValue()));
        return definitions;
    }

    static JsonNode read(String name) {
        try (InputStream in = Objects.requireNonNull(SchemaFiles.class.getResourceAsStream(name), name)) {
            return new JsonMapper().readTree(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
