package io.plat.tests.apiserver.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.ResourceType;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A minimal valid object of a type.
 *
 * @param object the object, with kind and apiVersion
 * @param change a strategic merge patch, whose values are in the object afterwards
 */
record MinimalObject(ObjectNode object, ObjectNode change) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns every row of the file, by {@code apiVersion kind}. */
    static Map<String, MinimalObject> all() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(MinimalObject.class.getResourceAsStream("/catalog/objects.yaml"), "objects")) {
            var all = new LinkedHashMap<String, MinimalObject>();
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(in)) {
                JsonNode row = JSON.valueToTree(document);
                var read = new MinimalObject((ObjectNode) row.path("object"), (ObjectNode) row.path("change"));
                String apiVersion = read.object.path("apiVersion").asText();
                if (all.put(apiVersion + " " + read.object.path("kind").asText(), read) != null) {
                    throw new IllegalStateException("stands twice: " + read.object);
                }
            }
            return all;
        }
    }

    /** Returns the key of a type's row. */
    static String key(ResourceType type) {
        return type.apiVersion() + " " + type.kind();
    }

    /** Returns its name. */
    String name() {
        return object.at("/metadata/name").asText();
    }
}
