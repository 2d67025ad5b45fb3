package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The access page of a decider: its files, and the clients that may read its data. */
class PageTest {
    private static final String MATRIX = "/apis/authorization.k8s.io/v1/accessmatrices";
    private static final String REVIEW =
            "{\"spec\":{\"namespace\":\"team-a\",\"verbs\":[\"get\",\"create\"],\"resources\":[{\"resource\":\"pods\"}]}}";

    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory, "--explain-client-names=alice", "--allowed-client-names=alice,bob");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    @Test
    void filesAreServedWithCachingAndSecurityPolicy() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            RawAnswer page = bob.get("/ui");
            assertThat(page.code()).isEqualTo(200);
            assertThat(page.field("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.field("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'"));
            assertThat(page.field("X-Content-Type-Options")).contains("nosniff");
            assertThat(page.field("Cache-Control")).contains("no-cache, private");
            assertThat(page.text()).contains("<script type=\"module\" src=\"/ui/app.js\">");
            String tag = page.field("ETag").orElseThrow();
            RawAnswer again = bob.send("GET /ui HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: " + tag + "\r\n\r\n")
                    .answer();
            assertThat(again.code()).isEqualTo(304);
            assertThat(again.text()).isEmpty();
            assertThat(again.field("Content-Security-Policy")).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ui/nothing.js", "/ui/index.html", "/ui/AccessPage.class", "/ui/app.js/x", "/uix"})
    void unknownFilesAreNotFound(String path) throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            assertThat(bob.get(path).code()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ui/../ui/app.js", "/ui/%2e%2e/version", "/ui//app.js", "/ui/..%2fapp.js"})
    void pathTraversalIsNotFound(String path) throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            assertThat(bob.get(path).code()).isIn(400, 404);
        }
    }

    @Test
    void filesAreReadOnly() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            RawAnswer refused = bob.postJson("/ui/app.js", "{}");
            assertThat(refused.code()).isEqualTo(405);
            assertThat(refused.field("Allow")).contains("GET, HEAD");
        }
    }

    @Test
    void clientsThatAreNotAllowedGetNoPage() throws IOException {
        try (RawClient mallory = decider.connect(decider.pki.client("mallory"))) {
            assertThat(mallory.get("/ui").code()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"authorization.k8s.io/v1", "authorization.k8s.io/v1beta1", "authorization.plat.io/v1beta1"})
    void clientsWithExplanationsGetAMatrix(String version) throws IOException {
        try (RawClient alice = decider.connect()) {
            RawAnswer matrix = alice.postJson("/apis/" + version + "/accessmatrices", REVIEW);
            assertThat(matrix.code()).isEqualTo(201);
            assertThat(matrix.field("Policy-Revision")).isPresent();
            assertThat(matrix.text())
                    .contains("\"apiVersion\":\"" + version + "\"")
                    .contains("{\"kind\":\"Group\",\"name\":\"developers\",\"allowed\":[1]}")
                    .contains("{\"kind\":\"User\",\"name\":\"alice\",\"allowed\":[3]}");
        }
    }

    @Test
    void otherClientsAreForbidden() throws IOException {
        try (RawClient bob = decider.connect(decider.pki.client("bob"))) {
            RawAnswer refused = bob.postJson(MATRIX, REVIEW);
            assertThat(refused.code()).isEqualTo(403);
            assertThat(refused.text()).doesNotContain("alice", "developers");
        }
    }

    @Test
    void tooLargeMatricesAreRefused() throws IOException {
        try (RawClient alice = decider.connect()) {
            assertThat(alice.postJson(MATRIX, "{\"spec\":{}}").code()).isEqualTo(400);
            assertThat(alice.get(MATRIX).code()).isEqualTo(405);
            assertThat(alice.postJson(MATRIX, "{\"spec\":{\"match\":\"" + "x".repeat(1 << 20) + "\"}}")
                            .code())
                    .isEqualTo(413);
        }
    }
}
