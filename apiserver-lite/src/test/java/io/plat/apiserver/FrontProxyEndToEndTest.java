package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.TestingClient.Answer;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users set by a front proxy, next to clients with certificates of their own. */
class FrontProxyEndToEndTest {
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String POLICY = "--authorization-mode=AlwaysAllow";

    private final Path directory;
    private final TestingPki proxies;

    FrontProxyEndToEndTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.proxies = new TestingPki(Files.createDirectory(directory.resolve("proxies")));
    }

    private static String who(TestingClient client) throws IOException {
        Answer answer = client.post(WHO, "{}");
        return answer.code() == 201
                ? answer.json().at("/status/userInfo/username").asText() + " "
                        + answer.json().at("/status/userInfo/groups")
                : Integer.toString(answer.code());
    }

    @Test
    void onlyFrontProxiesSetUsers() throws Exception {
        // Clients verify the server by the other authority; the proxy's context trusts this one for the test.
        try (TestingApiServer server = TestingApiServer.start(
                directory,
                POLICY,
                "--requestheader-client-ca-file=" + proxies.authorityFile(),
                "--requestheader-allowed-names=front-proxy")) {
            TestingPki pki = server.pki();
            TestingClient proxy = server.client(pki.clientCertifiedBy(proxies, "front-proxy"));
            assertThat(who(proxy.with("X-Remote-User", "bob")
                            .with("X-Remote-Group", "dev")
                            .with("X-Remote-Group", "ops")))
                    .isEqualTo("bob [\"dev\",\"ops\",\"system:authenticated\"]");
            assertThat(who(proxy.with("X-Remote-User", "bob").with("Impersonate-User", "carol")))
                    .isEqualTo("carol [\"system:authenticated\"]");
            assertThat(who(proxy)).as("a proxy that names nobody").isEqualTo("401");
            assertThat(who(server.client(pki.clientCertifiedBy(proxies, "other"))
                            .with("X-Remote-User", "bob")))
                    .isEqualTo("401");
            assertThat(who(server.user("alice").with("X-Remote-User", "bob").with("X-Remote-Group", "system:masters")))
                    .isEqualTo("alice [\"system:authenticated\"]");
            assertThat(who(server.user("front-proxy").with("X-Remote-User", "bob")))
                    .isEqualTo("front-proxy [\"system:authenticated\"]");
            assertThat(who(server.anonymous().with("X-Remote-User", "bob")))
                    .isEqualTo("system:anonymous [\"system:unauthenticated\"]");
        }
    }

    @Test
    void unusableAuthoritiesAreReported() throws Exception {
        assertThatThrownBy(() -> TestingApiServer.start(
                                directory, POLICY, "--requestheader-client-ca-file=" + directory.resolve("none"))
                        .close())
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems())
                                .containsExactly("--requestheader-client-ca-file: " + directory.resolve("none")
                                        + ": no such file"));
    }
}
