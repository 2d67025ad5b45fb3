package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.PluginJar;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A decision that waits, for a mode before the one that allows, is not an allow if that grant was revoked meanwhile. */
class RevokedDecisionTest {
    private static final String TYPE = "com.example.Slow";

    /** Has no opinion; a decision on alice waits for the file {@code go}. */
    private static final String SOURCE = """
            package com.example;

            import io.plat.engine.plugin.AuthorizerPlugin;
            import io.plat.engine.plugin.PluginDecision;
            import io.plat.engine.plugin.RequestAttributes;
            import java.nio.file.Files;
            import java.nio.file.Path;

            public final class Slow implements AuthorizerPlugin {
                private static final Path DIRECTORY = Path.of("%s");

                public String name() {
                    return "Slow";
                }

                public PluginDecision authorize(RequestAttributes request) throws Exception {
                    if (request.user().equals("alice")) {
                        Files.write(DIRECTORY.resolve("waiting"), new byte[0]);
                        while (!Files.exists(DIRECTORY.resolve("go"))) {
                            Thread.sleep(10);
                        }
                    }
                    return PluginDecision.refuse("no opinion");
                }
            }
            """;

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\",\"nonResourcePath\":\"*\"}}\n";

    private static final String REVIEW = """
            {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"%s","nonResourceAttributes":{"path":"/a","verb":"get"}}}""";

    private static final String EVALUATION = """
            "subject":{"type":"user","id":"%s"},"resource":{"type":"path","id":"/a"},"action":{"name":"get"}""";

    private static String body(String kind, String user) {
        String evaluation = EVALUATION.formatted(user);
        return switch (kind) {
            case "review" -> REVIEW.formatted(user);
            case "evaluation" -> "{" + evaluation + "}";
            default ->
                "{\"options\":{\"evaluations_semantic\":\"" + kind + "\"},\"evaluations\":[{" + evaluation + "},{"
                        + EVALUATION.formatted("nobody") + "}]}";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "review, /authorize, '\"allowed\":true', '\"allowed\":false'",
        "evaluation, /access/v1/evaluation, '\"decision\":true', '\"decision\":false'",
        "execute_all, /access/v1/evaluations, '\"decision\":true', '\"decision\":false'",
        "permit_on_first_permit, /access/v1/evaluations, '\"decision\":true', '\"decision\":false'",
    })
    void grantEndsDuringADecision(String kind, String path, String allowed, String denied, @TempDir Path directory)
            throws IOException {
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        PluginJar.of(TYPE, SOURCE.formatted(directory)).providing(TYPE).write(plugins.resolve("slow.jar"));
        Path policy = Files.writeString(
                Files.createDirectory(directory.resolve("policy")).resolve("policy.jsonl"),
                LINE.formatted("alice") + LINE.formatted("bob"));
        try (TestPki pki = TestPki.create().client("client")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--allowed-client-names=client",
                    "--authzen",
                    "--authorization-mode=Slow,ABAC",
                    "--authorization-plugin-dir=" + plugins,
                    "--authorization-policy-file=" + policy));
            try (RunningServer server = RunningServer.startReused(Program.DECIDER, flags);
                    HttpsClient client = HttpsClient.of(pki, "client")) {
                CompletableFuture<HttpResponse<String>> response = client.http()
                        .sendAsync(
                                HttpRequest.newBuilder(server.at(path))
                                        .header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(body(kind, "alice")))
                                        .build(),
                                BodyHandlers.ofString());
                await().until(() -> Files.exists(directory.resolve("waiting")));
                assertThat(client.post(server.at(path), body(kind, "bob")).body())
                        .contains(allowed);
                AtomicFile.put(policy, LINE.formatted("carol"));
                await().until(() ->
                        !client.post(server.at(path), body(kind, "bob")).body().contains(allowed));
                // From this age, a decision is repeated.
                await().pollDelay(Duration.ofMillis(500)).until(() -> true);
                Files.createFile(directory.resolve("go"));
                assertThat(response.join().body()).contains(denied).doesNotContain(allowed);
            }
        }
    }
}
