package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.plat.apiserver.TestingClient.Answer;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.http.authentication.jwt.TestingKeys;
import io.plat.http.authentication.oidc.TlsKeySource;
import io.plat.http.authentication.oidc.UnusableKeysException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identity tokens of a live issuer, or with keys in a file. */
class OidcEndToEndTest {
    private static final SigningKey KEY = SigningKey.of(TestingKeys.RSA.getPrivate());
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String POLICY = "--authorization-mode=AlwaysAllow";

    private final Path directory;

    OidcEndToEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static String keys() {
        return new KeySet(List.of(KEY.verification())).document();
    }

    private static String token(String issuer) {
        return KEY.sign(JsonNodeFactory.instance
                .objectNode()
                .put("iss", issuer)
                .put("aud", "me")
                .put("sub", "bob")
                .put("exp", Instant.now().getEpochSecond() + 600)
                .set("groups", JsonNodeFactory.instance.arrayNode().add("dev")));
    }

    private static String who(TestingClient client) throws IOException {
        Answer answer = client.post(WHO, "{}");
        return answer.code() == 201
                ? answer.json().at("/status/userInfo/username").asText()
                : Integer.toString(answer.code());
    }

    @Test
    void issuerThatStartsLateIsTrustedOnceAvailableAndBlocksNobody() throws Exception {
        // In its own directory: the server's files must not replace those that the issuer serves and watches.
        TestingPki pki = new TestingPki(Files.createDirectory(directory.resolve("issuer")));
        try (StubIssuer issuer = new StubIssuer(pki);
                TestingApiServer server = TestingApiServer.start(
                        directory,
                        POLICY,
                        "--oidc-issuer-url=" + issuer.url(),
                        "--oidc-client-id=me",
                        "--oidc-groups-claim=groups",
                        "--oidc-groups-prefix=g:",
                        "--oidc-ca-file=" + pki.authorityFile())) {
            String token = token(issuer.url());
            assertThat(who(server.token(token))).isEqualTo("401");
            assertThat(who(server.user("alice"))).isEqualTo("alice");
            issuer.keys(keys());
            // A token with an unknown key causes a request to the issuer, at most every five seconds.
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> who(server.token(token)).equals(issuer.url() + "#bob"));
            issuer.respondWith(500);
            assertThat(who(server.token(token))).isEqualTo(issuer.url() + "#bob");
            Answer review = server.admin().post(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\"}}");
            assertThat(review.json().at("/status/user/groups").toString())
                    .isEqualTo("[\"g:dev\",\"system:authenticated\"]");
            assertThat(who(server.token(token(issuer.url() + "/other")))).isEqualTo("401");
        }
    }

    @Test
    void keysInAFileRequireNoIssuer() throws Exception {
        Path file = Files.writeString(directory.resolve("keys.json"), keys());
        String issuer = "https://issuer.example";
        try (TestingApiServer server = TestingApiServer.start(
                directory,
                POLICY,
                "--oidc-issuer-url=" + issuer,
                "--oidc-client-id=me",
                "--oidc-username-prefix=-",
                "--oidc-jwks-file=" + file)) {
            assertThat(who(server.token(token(issuer)))).isEqualTo("bob");
            String[] parts = token(issuer).split("\\.", -1);
            assertThat(who(server.token(parts[0] + "." + parts[1] + "." + parts[0])))
                    .isEqualTo("401");
        }
    }

    @Test
    void issuerIsQueriedOverTlsWithLimits() throws Exception {
        TestingPki pki = new TestingPki(directory);
        try (StubIssuer issuer = new StubIssuer(pki)) {
            issuer.keys(keys());
            assertThat(fetched(pki, issuer.url()).keys()).hasSize(1);
            assertThat(fetched(pki, issuer.url()).keys()).hasSize(1);
            issuer.keys("{\"keys\":[" + " ".repeat(2 << 20) + "]}");
            refused(pki, issuer.url(), "/keys: ");
            issuer.keys("{}");
            refused(pki, issuer.url(), "expected a key set");
            issuer.configuration("{\"issuer\":\"https://other.example\",\"jwks_uri\":\"" + issuer.url() + "/keys\"}");
            refused(pki, issuer.url(), "names another issuer");
            issuer.configuration("{\"issuer\":\"" + issuer.url() + "\",\"jwks_uri\":\"http://localhost/keys\"}");
            refused(pki, issuer.url(), "\"http://localhost/keys\" is not an https URL");
            issuer.configuration("hello");
            refused(pki, issuer.url(), "configuration is not JSON");
            issuer.respondWith(302);
            refused(pki, issuer.url(), "answered 302");
            TestingPki stranger = new TestingPki(Files.createDirectory(directory.resolve("stranger")));
            refused(stranger, issuer.url(), "openid-configuration: ");
        }
    }

    private static KeySet fetched(TestingPki trusted, String issuer)
            throws PemException, UnusableKeysException, InterruptedException {
        ClientTls.Config config = new ClientTls.Config(PemSource.file(trusted.authorityFile()), null, null, null);
        try (ClientTls tls = ClientTls.read(config, InstantSource.system());
                TlsKeySource source = new TlsKeySource(issuer, tls.context())) {
            return source.fetch();
        }
    }

    private static void refused(TestingPki trusted, String issuer, String message) {
        assertThatThrownBy(() -> fetched(trusted, issuer))
                .isInstanceOf(UnusableKeysException.class)
                .hasMessageContaining(message);
    }
}
