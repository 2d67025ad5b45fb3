package io.plat.apiserver.custom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import org.junit.jupiter.api.Test;

/** Stored definitions share a limit, which never affects one that does not grow. */
class DefinitionMemoryTest {
    private final DefinitionMemory memory = new DefinitionMemory(250_000);

    private static ObjectNode definition(String name, int properties) {
        ObjectNode definition = JsonNodeFactory.instance.objectNode();
        definition.putObject("metadata").put("name", name);
        ObjectNode spec = definition.putObject("spec");
        for (int i = 0; i < properties; i++) {
            spec.putObject("p" + i).put("type", "string");
        }
        return definition;
    }

    private void store(ObjectNode definition) {
        Key key = new Key(
                "definitions", "", definition.path("metadata").path("name").asText());
        memory.keep(new Entry(key, definition.toString().getBytes(UTF_8), 1), definition.path("spec"));
    }

    @Test
    void definitionsWithinTheLimitAreAccepted() {
        assertThat(memory.fits(definition("a", 100))).isTrue();
        store(definition("a", 100));
        assertThat(memory.fits(definition("b", 100))).isFalse();
        assertThat(memory.fits(definition("b", 10))).isTrue();
    }

    @Test
    void storedDefinitionsMayStayOrShrink() {
        store(definition("a", 1_000));
        assertThat(memory.fits(definition("a", 999))).isTrue();
        assertThat(memory.fits(definition("a", 1_100))).isFalse();
    }

    @Test
    void deletedDefinitionsReleaseMemory() {
        store(definition("a", 100));
        memory.release("a");
        assertThat(memory.fits(definition("b", 100))).isTrue();
    }

    /** Each served version has documents, even with a short schema. */
    @Test
    void servedVersionsCountTheirPublishedDocuments() {
        ObjectNode definition = definition("a", 0);
        ArrayNode versions = ((ObjectNode) definition.path("spec")).putArray("versions");
        for (int i = 0; i < 20; i++) {
            versions.addObject().put("name", "v" + i).put("served", i < 2);
        }
        assertThat(memory.fits(definition)).isTrue();
        versions.forEach(version -> ((ObjectNode) version).put("served", true));
        assertThat(memory.fits(definition)).isFalse();
    }

    /** Rules are small in storage and large when compiled. */
    @Test
    void rulesCountTheirCompiledSize() {
        ObjectNode definition = definition("a", 0);
        ObjectNode version =
                ((ObjectNode) definition.path("spec")).putArray("versions").addObject();
        version.put("name", "v1").put("storage", true);
        ObjectNode schema =
                version.putObject("schema").putObject("openAPIV3Schema").put("type", "object");
        // Regardless of the file name.
        ObjectNode held = schema.putObject("properties")
                .putObject("x-kubernetes-validations")
                .put("type", "string");
        ArrayNode rules = held.putArray("x-kubernetes-validations");
        for (int i = 0; i < 20; i++) {
            rules.addObject().put("rule", "true");
        }
        assertThat(memory.fits(definition)).isTrue();
        for (int i = 0; i < 20; i++) {
            rules.addObject().put("rule", "true");
        }
        assertThat(memory.fits(definition)).isFalse();
    }
}
