package io.plat.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.apiserver.TestingClient.Answer;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens across restarts, and with user-provided keys. */
class AccountTokensEndToEndTest {
    private static final String TOKENS = "/api/v1/namespaces/default/serviceaccounts/default/token";
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String POLICY = "--authorization-mode=AlwaysAllow";

    private final Path directory;

    AccountTokensEndToEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static String issued(TestingApiServer server, String request) throws IOException {
        Answer answer = server.admin().post(TOKENS, request);
        assertThat(answer.code()).as(answer.body()).isEqualTo(201);
        return answer.json().at("/status/token").asText();
    }

    private static String claims(String token) {
        return new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), UTF_8);
    }

    @Test
    void tokensSurviveARestartUntilTheKeyChanges() throws Exception {
        String token;
        try (TestingApiServer first = TestingApiServer.start(directory, POLICY)) {
            token = issued(first, "{}");
        }
        try (TestingApiServer second = TestingApiServer.start(directory, POLICY)) {
            assertThat(second.token(token).post(WHO, "{}").code()).isEqualTo(201);
        }
        Path key = Files.copy(new TestingPki(directory).keyFile(), directory.resolve("signing.key"));
        Path other = Files.copy(new TestingPki(directory).certificateFile(), directory.resolve("former.crt"));
        try (TestingApiServer third = TestingApiServer.start(
                directory,
                POLICY,
                "--service-account-signing-key-file=" + key,
                "--service-account-key-file=" + other,
                "--service-account-issuer=https://issuer.example",
                "--service-account-issuer=former",
                "--service-account-max-token-expiration=1h",
                "--api-audiences=here,there")) {
            assertThat(third.token(token).post(WHO, "{}").code()).isEqualTo(401);
            Answer created = third.admin().post(TOKENS, "{\"spec\":{\"expirationSeconds\":7200}}");
            assertThat(created.json().at("/spec/expirationSeconds").asLong()).isEqualTo(3600);
            assertThat(created.header("Warning"))
                    .isEqualTo("299 - \"requested expiration of 7200 seconds shortened to 3600 seconds\"");
            String fresh = created.json().at("/status/token").asText();
            assertThat(claims(fresh)).contains("\"iss\":\"https://issuer.example\"", "\"aud\":[\"here\",\"there\"]");
            assertThat(third.token(fresh).post(WHO, "{}").code()).isEqualTo(201);
            assertThat(third.token(issued(third, "{\"spec\":{\"audiences\":[\"there\"]}}"))
                            .post(WHO, "{}")
                            .code())
                    .isEqualTo(201);
            assertThat(third.admin().get("/openid/v1/jwks").json().path("keys")).hasSize(2);
            assertThat(third.admin()
                            .get("/.well-known/openid-configuration")
                            .json()
                            .path("jwks_uri")
                            .asText())
                    .isEqualTo("https://issuer.example/openid/v1/jwks");
        }
    }

    @Test
    void issuerThatIsNotAUrlHasNoDiscoveryDocuments() throws Exception {
        try (TestingApiServer server = TestingApiServer.start(directory, POLICY, "--service-account-issuer=api")) {
            assertThat(server.admin().get("/openid/v1/jwks").code()).isEqualTo(404);
            assertThat(server.token(issued(server, "{}")).post(WHO, "{}").code())
                    .isEqualTo(201);
        }
    }

    @Test
    void unusableKeysAreReportedTogether() throws Exception {
        Path bad = Files.writeString(directory.resolve("bad.pem"), "hello\n");
        assertThatThrownBy(() -> TestingApiServer.start(
                                directory,
                                POLICY,
                                "--service-account-signing-key-file=" + bad,
                                "--service-account-key-file=" + directory.resolve("missing"),
                                "--service-account-key-file=" + bad)
                        .close())
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems())
                                .anySatisfy(line -> assertThat(line)
                                        .startsWith("--service-account-signing-key-file: " + bad + ": expected"))
                                .anySatisfy(line -> assertThat(line)
                                        .isEqualTo("--service-account-key-file: " + directory.resolve("missing")
                                                + ": no such file"))
                                .anySatisfy(line -> assertThat(line)
                                        .startsWith("--service-account-key-file: " + bad + ": expected")));
    }
}
