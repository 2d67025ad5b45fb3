package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.PluginJar;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Permissions that were checked first are checked again if the checks after them take long: clients choose how many there are. */
class RevokedImpersonationTest {
    private static final String TYPE = "com.example.Slow";

    /** Allows everything; impersonating a user ends with the file {@code revoked}, and impersonating a group waits for the file {@code go}. */
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
                    if (request.verb().startsWith("impersonate") && request.resource().equals("groups")) {
                        Files.write(DIRECTORY.resolve("waiting"), new byte[0]);
                        while (!Files.exists(DIRECTORY.resolve("go"))) {
                            Thread.sleep(10);
                        }
                    }
                    boolean revoked = request.verb().equals("impersonate") && request.resource().equals("users")
                            && Files.exists(DIRECTORY.resolve("revoked"));
                    return revoked || request.verb().startsWith("impersonate-on:")
                            ? PluginDecision.refuse("revoked")
                            : PluginDecision.allow("not revoked");
                }
            }
            """;

    @ParameterizedTest
    @CsvSource(textBlock = """
            GET, /api/v1/namespaces/default
            GET, /api/v1/namespaces/default/secrets
            POST, /api/v1/namespaces/default/configmaps
            """)
    void impersonationEndsDuringItsChecks(String method, String path, @TempDir Path directory) throws IOException {
        Path plugins = Files.createDirectory(directory.resolve("plugins"));
        PluginJar.of(TYPE, SOURCE.formatted(directory)).providing(TYPE).write(plugins.resolve("slow.jar"));
        try (TestPki pki = TestPki.create().client("bob")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--data-dir=" + directory.resolve("data"),
                    "--authorization-mode=Slow",
                    "--authorization-plugin-dir=" + plugins));
            try (RunningServer server = RunningServer.startReused(Program.APISERVER_LITE, flags);
                    HttpsClient bob = HttpsClient.of(pki, "bob")) {
                CompletableFuture<HttpResponse<String>> response =
                        bob.http().sendAsync(impersonating(method, server.at(path)), BodyHandlers.ofString());
                Awaitility.await().until(() -> Files.exists(directory.resolve("waiting")));
                Files.createFile(directory.resolve("revoked"));
                // From this age, results are checked again.
                Awaitility.await().pollDelay(Duration.ofMillis(600)).until(() -> true);
                Files.createFile(directory.resolve("go"));
                assertThat(response.join().statusCode())
                        .as(response.join().body())
                        .isEqualTo(403);
            }
        }
    }

    private static HttpRequest impersonating(String method, URI target) {
        return HttpRequest.newBuilder(target)
                .method(method, HttpRequest.BodyPublishers.ofString("{\"metadata\":{\"name\":\"late\"}}"))
                .header("Content-Type", "application/json")
                .header("Impersonate-User", "root")
                .header("Impersonate-Group", "team-a")
                .build();
    }
}
