package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.plat.tests.process.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conformance of plat's JSON output, as {@link StoredRunsTest} finds it stored, to docs/schemas/plat.json. */
class SchemasTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path DIRECTORY = Checkout.path("tests/src/test/resources/plat");

    /** Commands whose JSON is that of Kubernetes, or of a policy file. */
    private static final Set<String> KUBERNETES = Set.of("convert", "whoami");

    private static JsonSchema schema(String command) throws IOException {
        ObjectNode document = (ObjectNode)
                JSON.readTree(Checkout.path("docs/schemas/plat.json").toFile());
        document.remove("$id");
        document.put("$ref", "#/$defs/" + command.replace(" ", "%20"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(document);
    }

    private static JsonNode printed(String name) throws IOException {
        return JSON.readTree(DIRECTORY.resolve("stored/" + name + ".out").toFile());
    }

    static List<StoredRun> documents() throws IOException {
        return StoredRun.read(DIRECTORY.resolve("runs.table")).stream()
                .filter(run -> run.command().contains("-o json") && !KUBERNETES.contains(run.about()))
                // Errors are no documents: such runs print nothing.
                .filter(run -> Files.exists(DIRECTORY.resolve("stored/" + run.name() + ".out")))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void eachDocumentFitsTheDefinitionOfItsCommand(StoredRun run) throws IOException {
        String command = run.about().equals("pki") ? "pki show" : run.about();
        assertThat(schema(command).validate(printed(run.name()))).isEmpty();
    }

    @Test
    void everyCommandHasADocument() throws IOException {
        assertThat(documents())
                .extracting(StoredRun::about)
                .contains("can-i", "why", "who-can", "matrix", "diff", "test", "replay", "lint", "drill", "pki");
    }

    @Test
    void aDocumentOfAnotherCommandDoesNotFit() throws IOException {
        JsonNode decision = printed("can-i-json");
        assertThat(schema("why").validate(decision)).isNotEmpty();
        assertThat(schema("matrix").validate(decision)).isNotEmpty();
    }
}
