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
 * The least valid object of a type.
 *
 * @param object the object, with kind and apiVersion
 * @param change a strategic merge patch; what it says is found in the object afterwards
 */
record LeastObject(ObjectNode object, ObjectNode change) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Every row of the file, by {@code apiVersion kind}. */
    static Map<String, LeastObject> all() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(LeastObject.class.getResourceAsStream("/catalog/objects.yaml"), "objects")) {
            var all = new LinkedHashMap<String, LeastObject>();
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(in)) {
                JsonNode row = JSON.valueToTree(document);
                var read = new LeastObject((ObjectNode) row.path("object"), (ObjectNode) row.path("change"));
                String apiVersion = read.object.path("apiVersion").asText();
                if (all.put(apiVersion + " " + read.object.path("kind").asText(), read) != null) {
                    throw new IllegalStateException("stands twice: " + read.object);
                }
            }
            return all;
        }
    }

    /** By what a type's row is found. */
    static String key(ResourceType type) {
        return type.apiVersion() + " " + type.kind();
    }

    /** Its name. */
    String name() {
        return object.at("/metadata/name").asText();
    }
}
