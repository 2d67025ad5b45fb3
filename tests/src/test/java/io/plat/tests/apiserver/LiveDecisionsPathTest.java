package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Live decisions, for users who may read them. */
class LiveDecisionsPathTest {
    private static DelegatingSystem system;
    private static HttpsClient admin;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        admin = system.client("admin");
    }

    @AfterAll
    static void stop() {
        admin.close();
        system.close();
    }

    @Test
    @Timeout(30)
    void decisionsAreStreamed() throws Exception {
        try (HttpsClient alice = system.client("alice");
                HttpsClient mallory = system.client("mallory");
                HttpsClient nobody = HttpsClient.of(system.pki(), null)) {
            HttpResponse<InputStream> stream = admin.http()
                    .send(
                            HttpRequest.newBuilder(system.at("/decisions")).build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                assertThat(events.readLine()).isEqualTo(":");
                alice.get(system.at("/api/v1/namespaces/team-a/pods/shown"));
                assertThat(about("shown", events))
                        .contains("\"client\":\"alice\"", "\"user\":\"alice\"", "\"verb\":\"get\"", "\"allowed\":true");
                mallory.get(system.at("/api/v1/namespaces/team-a/secrets/hidden"));
                assertThat(about("hidden", events))
                        .contains("\"user\":\"mallory\"", "\"resource\":\"secrets\"", "\"allowed\":false");
                assertThat(mallory.get(system.at("/decisions")).statusCode()).isEqualTo(403);
                assertThat(about("/decisions", events)).contains("\"user\":\"mallory\"", "\"allowed\":false");
            }
            assertThat(nobody.get(system.at("/decisions")).statusCode()).isEqualTo(403);
            assertThat(admin.post(system.at("/decisions"), "{}").statusCode()).isEqualTo(405);
            assertThat(admin.get(system.at("/")).body()).contains("\"/decisions\"");
        }
    }

    private static String about(String name, BufferedReader events) throws IOException {
        String line = Objects.requireNonNull(events.readLine());
        while (!line.startsWith("data: ") || !line.contains("\"" + name + "\"")) {
            line = Objects.requireNonNull(events.readLine());
        }
        return line;
    }
}
