package io.plat.apiserver.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.TypeTraits;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types with a generation, and the changes that increment it. */
final class GenerationsTest {
    /** The stored resource, a state, the next one, and the generation of each; 0 for none. */
    @ParameterizedTest(name = "{0} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        configmaps                      | {"data":{"a":"1"}}     | {"data":{"a":"2"}}                                             | 0 | 0
        pods                            | {"spec":{"a":1}}       | {"spec":{"a":2}}                                               | 1 | 2
        services                        | {"spec":{"a":1}}       | {"spec":{"a":2}}                                               | 0 | 0
        deployments.apps                | {"spec":{"a":1}}       | {"spec":{"a":2}}                                               | 1 | 2
        deployments.apps                | {"spec":{"a":1}}       | {"spec":{"a":1},"status":{"b":1}}                              | 1 | 1
        deployments.apps                | {"spec":{"a":1}}       | {"spec":{"a":1},"metadata":{"labels":{"b":"1"}}}               | 1 | 1
        deployments.apps                | {"spec":{"a":1}}       | {"spec":{"a":1},"metadata":{"annotations":{"b":"1"}}}          | 1 | 2
        deployments.apps                | {"spec":{"a":1}}       | {"spec":{"a":2},"metadata":{"annotations":{"b":"1"}}}          | 1 | 2
        statefulsets.apps               | {"spec":{"a":1}}       | {"spec":{"a":1},"metadata":{"annotations":{"b":"1"}}}          | 1 | 1
        statefulsets.apps               | {"spec":{"a":1}}       | {}                                                             | 1 | 2
        endpointslices.discovery.k8s.io | {"endpoints":[1]}      | {"endpoints":[2]}                                              | 1 | 2
        endpointslices.discovery.k8s.io | {"endpoints":[1]}      | {"endpoints":[1],"metadata":{"labels":{"b":"1"}}}              | 1 | 2
        podtemplates                    | {"template":{"a":1}}   | {"template":{"a":2}}                                           | 1 | 2
        validatingwebhookconfigurations.admissionregistration.k8s.io | {} | {"webhooks":[1]}                                      | 1 | 2
        priorityclasses.scheduling.k8s.io | {"value":1}          | {"value":2,"spec":{"a":1}}                                     | 1 | 1
        """)
    void onlySpecChangesIncrementTheGeneration(String storage, String first, String next, int before, int after) {
        ObjectNode old = Api.tree(first);
        Json.child(old, "metadata");
        Generations.initialize(storage, old, MissingNode.getInstance());
        assertThat(old.at("/metadata/generation").asInt()).isEqualTo(before);
        ObjectNode changed = Api.tree(next);
        if (before > 0) {
            Json.child(changed, "metadata").put("generation", before);
        }
        Generations.change(storage, old, changed);
        assertThat(changed.at("/metadata/generation").asInt()).isEqualTo(after);
    }

    /** The stored resource, the generation that a client sends for a new object, and that of the object. */
    @ParameterizedTest
    @CsvSource({"services, 7, 7", "services, 0, 0", "pods, 7, 1"})
    void onlyTypesWithoutGenerationKeepThatOfTheClient(String storage, int sent, int kept) {
        ObjectNode object = Api.tree("{\"metadata\":{}}");
        Generations.initialize(storage, object, IntNode.valueOf(sent));
        assertThat(object.at("/metadata/generation").asInt()).isEqualTo(kept);
    }

    @Test
    void deletionIncrementsTheGeneration() {
        ObjectNode counted = Api.tree("{\"metadata\":{\"generation\":4}}");
        Generations.beginDeletion(counted);
        assertThat(counted.at("/metadata/generation").asInt()).isEqualTo(5);
        ObjectNode other = Api.tree("{\"metadata\":{\"name\":\"a\"}}");
        Generations.beginDeletion(other);
        assertThat(other).isEqualTo(Api.tree("{\"metadata\":{\"name\":\"a\"}}"));
    }

    /** A misspelled row would never apply. */
    @Test
    void everyRowIsAType() throws IOException {
        List<String> known = new ArrayList<>();
        try (InputStream in =
                Objects.requireNonNull(ResourceCatalog.class.getResourceAsStream("resource-catalog.json"))) {
            for (JsonNode row : new JsonMapper().readTree(in)) {
                String group = row.path("group").asText();
                known.add(row.path("name").asText() + (group.isEmpty() ? "" : "." + group));
            }
        }
        assertThat(known).containsAll(TypeTraits.builtIn().keySet());
        assertThat(TypeTraits.builtIn().values())
                .filteredOn(traits -> traits.generation() != null)
                .hasSizeGreaterThan(20);
    }
}
