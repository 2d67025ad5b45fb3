package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conformance of plat's JSON output to docs/schemas/plat.json. */
class SchemasTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROLES = "--authorization-rbac-path=" + Checkout.path("conf/samples/rbac");
    private static final String LINES =
            "--authorization-policy-file=" + Checkout.path("conf/samples/abac/policy.jsonl");

    @TempDir
    private Path folder = Path.of("");

    private static JsonSchema schema(String command) throws IOException {
        ObjectNode document = (ObjectNode)
                JSON.readTree(Checkout.path("docs/schemas/plat.json").toFile());
        document.remove("$id");
        document.put("$ref", "#/$defs/" + command.replace(" ", "%20"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(document);
    }

    private static JsonNode printed(List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.add("-o");
        all.add("json");
        return JSON.readTree(
                Command.of(Program.PLAT, all.toArray(String[]::new)).run().out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "can-i get pods --as ann -n team-a ROLES",
                "can-i get pods --as ann --as-group operators ROLES",
                "can-i get /version --as ann ROLES",
                "can-i get pods --as ann LINES",
                "can-i --list --as ann --as-group operators ROLES",
                "can-i --list --as ann LINES",
                "can-i -f requests --as ann ROLES",
                "why get pods --as ann --as-group operators -n team-a ROLES",
                "why get secrets --as ann -n team-a ROLES",
                "why get /version --as ann ROLES",
                "why list pods --as ann LINES",
                "who-can get pods -n team-a ROLES",
                "who-can get pods -A ROLES",
                "who-can get /version ROLES",
                "who-can get pods LINES",
                "matrix -n team-a ROLES",
                "matrix LINES",
                "diff SAMPLES/rbac SAMPLES/rbac-v1alpha1",
                "diff SAMPLES/rbac SAMPLES/rbac-v1alpha1 --roles-only",
                "diff SAMPLES/rbac SAMPLES/abac/policy.jsonl",
                "test SAMPLES/policy-tests/policy-test.yaml",
                "test SAMPLES/policy-tests/policy-test.yaml --coverage",
                "replay log ROLES",
                "lint policy",
                "pki show CERTIFICATE",
            })
    void outputMatchesItsSchema(String line) throws IOException {
        Files.writeString(folder.resolve("requests"), "get pods\nlist secrets -n team-a\nget podz\n");
        Files.createDirectory(folder.resolve("policy"));
        Files.writeString(folder.resolve("policy/open.yaml"), """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: climber}
                rules: [{apiGroups: [""], resources: [pods], verbs: [create]}, {apiGroups: [""], resources: [secrets], verbs: [list]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: open}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: climber}
                subjects: [{kind: Group, name: "system:unauthenticated", apiGroup: rbac.authorization.k8s.io}]
                """);
        Files.writeString(folder.resolve("log"), """
                {"id":"1","time":"2026-01-01T00:00:00Z","client":"c","spec":{"user":"ann","groups":["operators"],\
                "resourceAttributes":{"verb":"get","resource":"pods","namespace":"team-a"}},"allowed":false,"reason":"no"}
                """);
        Command.of(Program.PLAT, "pki", "init", "--dir", folder.resolve("pki").toString())
                .run();
        String[] words = line.split(" ", -1);
        String command = words[0].equals("pki") ? "pki show" : words[0];
        List<String> arguments = new ArrayList<>();
        for (String word : words) {
            arguments.add(
                    switch (word) {
                        case "ROLES" -> ROLES;
                        case "LINES" -> LINES;
                        case "requests", "log", "policy" -> folder.resolve(word).toString();
                        case "CERTIFICATE" -> folder.resolve("pki/ca.crt").toString();
                        default ->
                            word.replace(
                                    "SAMPLES", Checkout.path("conf/samples").toString());
                    });
        }
        assertThat(schema(command).validate(printed(arguments))).isEmpty();
    }

    @Test
    void schemasAreSpecificToTheirCommand() throws IOException {
        JsonNode decision = printed(List.of("can-i", "get", "pods", "--as", "ann", ROLES));
        assertThat(schema("why").validate(decision)).isNotEmpty();
        assertThat(schema("matrix").validate(decision)).isNotEmpty();
    }
}
