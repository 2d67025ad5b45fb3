package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TestPki;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All combinations of credentials: the user that each authenticates; a rejected credential is never anonymous. */
class CredentialsTest {
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String ISSUER = "https://issuer.example";

    private static Path directory = Path.of("");
    private static StandaloneServer server;
    private static SigningKey issuer;
    private static final List<HttpsClient> OPENED = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException, PemException {
        directory = Files.createTempDirectory("plat-credentials");
        // The front proxies have a certificate authority of their own, which must exist before the server starts.
        TestPki proxies = TestPki.create();
        issuer = SigningKey.of(PemKeys.read(PemSource.file(Path.of(proxies.file("server.key")))));
        Path keys = Files.writeString(
                directory.resolve("keys.json"), new KeySet(List.of(issuer.verification())).document());
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "s3cret,carol,7,\"dev,ops\"\n");
        Path authority = Files.copy(Path.of(proxies.file("ca.crt")), directory.resolve("proxies.crt"));
        server = StandaloneServer.startProcess(
                "--token-auth-file=" + tokens,
                "--oidc-issuer-url=" + ISSUER,
                "--oidc-client-id=me",
                "--oidc-signing-algs=ES256",
                "--oidc-username-prefix=oidc:",
                "--oidc-groups-claim=groups",
                "--oidc-jwks-file=" + keys,
                "--requestheader-client-ca-file=" + authority,
                "--requestheader-allowed-names=proxy");
        server.pki().client("alice", "dev").untrustedClient("stranger").expiredClient("late");
        for (String name : List.of("proxy", "other")) {
            proxies.client(name);
            for (String end : List.of(".crt", ".key")) {
                Files.copy(
                        Path.of(proxies.file(name + end)),
                        server.pki().directory().resolve(name + end));
            }
        }
        proxies.close();
    }

    @AfterAll
    static void stop() {
        OPENED.forEach(HttpsClient::close);
        server.close();
        Directories.delete(directory);
    }

    private static HttpsClient client(@Nullable String certificate) {
        HttpsClient client = HttpsClient.of(server.pki(), certificate);
        OPENED.add(client);
        return client;
    }

    private static ObjectNode claims() {
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        claims.put("iss", ISSUER).put("aud", "me").put("sub", "erin");
        claims.putArray("groups").add("staff");
        return claims.put("exp", Instant.now().getEpochSecond() + 600);
    }

    private static String token(String word) throws IOException {
        return switch (word) {
            case "account" ->
                new JsonMapper()
                        .readTree(server.client()
                                .post(server.at("/api/v1/namespaces/default/serviceaccounts/default/token"), "{}")
                                .body())
                        .at("/status/token")
                        .asText();
            case "oidc" -> issuer.sign(claims());
            case "oidc-over" -> issuer.sign(claims().put("exp", Instant.now().getEpochSecond() - 1));
            case "oidc-others" -> issuer.sign(claims().put("aud", "you"));
            case "oidc-issuer" -> issuer.sign(claims().put("iss", "https://other.example"));
            // A token of a service account, signed by the issuer of identity tokens.
            case "forged" -> issuer.sign(claims().put("iss", "https://kubernetes.default.svc.cluster.local"));
            default -> word;
        };
    }

    /** Returns the user of a request: name and groups, or the status code of the refusal. */
    private static String who(HttpsClient client) throws IOException {
        HttpResponse<String> answer = client.post(server.at(WHO), "{}");
        JsonNode user = new JsonMapper().readTree(answer.body()).at("/status/userInfo");
        return answer.statusCode() == 201
                ? user.path("username").asText() + " " + user.path("groups")
                : Integer.toString(answer.statusCode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            ''       ; ''          ; system:anonymous ["system:unauthenticated"]
            alice    ; ''          ; alice ["dev","system:authenticated"]
            stranger ; ''          ; 401
            late     ; ''          ; 401
            server   ; ''          ; 401
            ''       ; s3cret      ; carol ["dev","ops","system:authenticated"]
            ''       ; s3cre       ; 401
            ''       ; s3crets     ; 401
            ''       ; oidc        ; oidc:erin ["staff","system:authenticated"]
            ''       ; oidc-over   ; 401
            ''       ; oidc-others ; 401
            ''       ; oidc-issuer ; 401
            ''       ; forged      ; 401
            ''       ; account     ; system:serviceaccount:default:default ["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"]
            alice    ; s3cret      ; alice ["dev","system:authenticated"]
            alice    ; nonsense    ; alice ["dev","system:authenticated"]
            stranger ; s3cret      ; carol ["dev","ops","system:authenticated"]
            stranger ; nonsense    ; 401
            """)
    void credentialAuthenticatesItsUserOrIsRejected(String certificate, String token, String expected)
            throws IOException {
        HttpsClient client = client(certificate.isEmpty() ? null : certificate);
        assertThat(who(token.isEmpty() ? client : client.withHeader("Authorization", "Bearer " + token(token))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            Basic czNjcmV0
            Bearer
            Negotiate abc
            s3cret
            """)
    void malformedCredentialsAreRejected(String authorization) throws IOException {
        assertThat(who(client(null).withHeader("Authorization", authorization))).isEqualTo("401");
    }

    @Test
    void duplicateAuthorizationHeadersAreRejected() throws IOException {
        assertThat(who(client(null)
                        .withHeader("Authorization", "Bearer s3cret")
                        .withHeader("Authorization", "Bearer s3cret")))
                .isEqualTo("401");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            proxy ; bob ; bob ["ops","system:authenticated"]
            proxy ; ''  ; 401
            other ; bob ; 401
            alice ; bob ; alice ["dev","system:authenticated"]
            ''    ; bob ; system:anonymous ["system:unauthenticated"]
            """)
    void onlyFrontProxiesSetUsers(String certificate, String user, String expected) throws IOException {
        HttpsClient client = client(certificate.isEmpty() ? null : certificate).withHeader("X-Remote-Group", "ops");
        assertThat(who(user.isEmpty() ? client : client.withHeader("X-Remote-User", user)))
                .isEqualTo(expected);
    }

    @Test
    void tokensAreNotLogged() throws IOException {
        String token = token("oidc-over");
        assertThat(who(client(null).withHeader("Authorization", "Bearer " + token)))
                .isEqualTo("401");
        assertThat(server.process().err() + server.process().out())
                .doesNotContain(token.substring(0, 40))
                .doesNotContain("s3cret");
    }
}
