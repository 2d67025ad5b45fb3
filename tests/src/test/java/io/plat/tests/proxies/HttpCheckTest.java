package io.plat.tests.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check for proxies: the user, the decision and the response. */
class HttpCheckTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String POLICY =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"%s\",%s}}\n";

    private static TestPki pki;
    private static Path policy;
    private static RunningServer plain;

    @BeforeAll
    static void create() throws IOException {
        pki = TestPki.create().client("proxy").client("alice", "ops").client("other");
        policy = Files.writeString(
                pki.directory().resolve("policy.jsonl"),
                POLICY.formatted("alice", "\"readonly\":true,\"nonResourcePath\":\"/public/*\"")
                        + POLICY.formatted("alice", "\"resource\":\"pods\",\"namespace\":\"a\""));
        plain = start("--http-check");
    }

    @AfterAll
    static void delete() {
        plain.close();
        Directories.delete(pki.directory());
    }

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--allowed-client-names=proxy",
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy));
        flags.addAll(List.of(more));
        return flags;
    }

    private static RunningServer start(String... more) {
        return RunningServer.startReused(Program.DECIDER, flags(more));
    }

    /** Sends a check with headers. */
    private static HttpResponse<String> check(RunningServer server, String line, String... fields) throws IOException {
        try (HttpsClient proxy = HttpsClient.of(pki, "proxy")) {
            HttpsClient with = proxy;
            for (String field : fields) {
                int colon = field.indexOf(':');
                with = with.withHeader(
                        field.substring(0, colon), field.substring(colon + 1).strip());
            }
            String[] arguments = line.split(" ", 2);
            return with.send(arguments[0], server.at(arguments[1]), null);
        }
    }

    @Test
    void answersAndRecordsDecisions() throws IOException {
        Path log = pki.directory().resolve("decisions.log");
        try (RunningServer server = start(
                "--http-check",
                "--check-response-headers=x-auth-user,X-Auth-Groups,X-Auth-Decision-Id,X-Auth-Policy-Revision",
                "--decision-log-path=" + log)) {
            HttpResponse<String> allowed =
                    check(server, "GET /check/public/a?b=c", "X-Forwarded-User: alice", "X-Forwarded-Groups: a, b,c");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.body()).isEmpty();
            assertThat(allowed.headers().map())
                    .containsEntry("x-auth-user", List.of("alice"))
                    .containsEntry("x-auth-groups", List.of("a,b,c,system:authenticated"))
                    .containsEntry("x-auth-decision-id", allowed.headers().allValues("decision-id"))
                    .containsEntry("x-auth-policy-revision", allowed.headers().allValues("policy-revision"));
            assertThat(allowed.headers().firstValue("x-auth-reason").orElse("")).startsWith("ABAC: allowed by");
            HttpResponse<String> denied = check(
                    server,
                    "GET /check",
                    "X-Forwarded-User: alice",
                    "X-Forwarded-Method: POST",
                    "X-Forwarded-Uri: /public/a");
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.headers().firstValue("x-auth-reason")).contains("No policy matched.");
            assertThat(denied.headers().firstValue("x-auth-user")).isEmpty();
            assertThat(server.terminate()).isZero();
        }
        List<String> lines = Files.readAllLines(log);
        assertThat(lines).hasSize(2);
        JsonNode denied = JSON.readTree(lines.getLast());
        assertThat(denied.path("client").asText()).isEqualTo("proxy");
        assertThat(denied.path("spec").path("nonResourceAttributes").toString())
                .isEqualTo("{\"path\":\"/public/a\",\"verb\":\"post\"}");
    }

    @Test
    void oversizedGroupsHeaderIsEmpty() throws IOException {
        String groups = IntStream.range(0, 1000).mapToObj(i -> "group-" + i).collect(Collectors.joining(","));
        try (RunningServer server = start("--http-check", "--check-response-headers=X-Auth-User,X-Auth-Groups")) {
            HttpResponse<String> allowed =
                    check(server, "GET /check/public/a", "X-Forwarded-User: alice", "X-Forwarded-Groups: " + groups);
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().map())
                    .containsEntry("x-auth-user", List.of("alice"))
                    .containsEntry("x-auth-groups", List.of(""));
        }
    }

    @Test
    void countsDecisionsAndHidesReasons() throws IOException {
        try (RunningServer server = start("--http-check", "--reasons=none")) {
            HttpResponse<String> denied = check(server, "GET /check/a", "X-Forwarded-User: alice");
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.headers().firstValue("x-auth-reason")).isEmpty();
            assertThat(denied.body()).doesNotContain("policy");
            assertThat(check(server, "GET /metrics").body())
                    .containsPattern("apiserver_authorization_decisions_total\\{[^}]*decision=\"denied\"[^}]*} 1");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        OPTIONS /check/public/a | Origin: https://evil.example; Access-Control-Request-Method: GET; X-Forwarded-User: alice | 403
        POST /check/public/a    | Origin: https://evil.example; Sec-Fetch-Site: cross-site; X-Forwarded-User: alice         | 403
        GET /check/public/a     | Origin: https://evil.example; Accept: text/event-stream; X-Forwarded-User: alice          | 200
        GET /check/public/a     | Content-Type: json; X-Forwarded-User: alice                                               | 200
        POST /check/public/a    | Content-Type: ,; Accept:; X-Forwarded-User: alice                                         | 403
        GET /check/public/a     | Accept:; X-Forwarded-User: alice                                                          | 200
        GET /check/public/a     | Accept: */*                                                                               | 401
        GET /check/public/a     | X-Forwarded-User: alice; X-Forwarded-User: alice                                          | 400
        GET /check/public//a    | X-Forwarded-User: alice                                                                   | 400
        GET /check/public//a    | Accept: */*                                                                               | 400
        GET /check/public/a     | X-Forwarded-User: alice; X-Forwarded-Groups: system:masters                               | 400
        GET /check/public/a     | X_HTTP_Method_Override: DELETE; X-Forwarded-User: alice                                   | 400
        GET /check              | X-Forwarded-User: alice                                                                   | 400
        GET /check/api/v1/namespaces/a/pods | X-Forwarded-User: alice                                                       | 403
        """)
    void browserHeadersDoNotAffectDecisions(String line, String fields, int expected) throws IOException {
        assertThat(check(plain, line, fields.split("; ", -1)).statusCode()).isEqualTo(expected);
    }

    @Test
    void resourceAttributesAreOptional() throws IOException {
        try (RunningServer server = start("--http-check", "--check-paths=resource", "--check-user-header=X-User")) {
            for (String allowed :
                    List.of("GET /check/api/v1/namespaces/a/pods", "DELETE /check/api/v1/namespaces/a/pods/p")) {
                assertThat(check(server, allowed, "X-User: alice").statusCode()).isEqualTo(200);
            }
            for (String denied : List.of("GET /check/api/v1/pods", "GET /check/api/v1/namespaces/a/secrets")) {
                assertThat(check(server, denied, "X-User: alice").statusCode()).isEqualTo(403);
            }
            assertThat(check(server, "GET /check/public/a", "X-Forwarded-User: alice")
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void forwardedCertificatesAreVerifiedByAReloadedBundle() throws IOException {
        Path bundle = pki.directory().resolve("users.crt");
        Files.copy(Path.of(pki.file("other-ca.crt")), bundle);
        String pem = URLEncoder.encode(Files.readString(Path.of(pki.file("alice.crt"))), StandardCharsets.UTF_8)
                .replace("+", "%20");
        try (RunningServer server =
                start("--http-check", "--check-identity=ssl-client-cert", "--check-client-ca-file=" + bundle)) {
            String field = "Ssl-Client-Cert: " + pem;
            assertThat(check(server, "GET /check/public/a", field, "X-Forwarded-User: alice")
                            .statusCode())
                    .isEqualTo(401);
            Path next = Files.copy(Path.of(pki.file("ca.crt")), pki.directory().resolve("next.crt"));
            Files.move(next, bundle, StandardCopyOption.REPLACE_EXISTING);
            await().until(() -> check(server, "GET /check/public/a", field).statusCode() == 200);
        }
    }

    @Test
    void tokensAreVerified() throws IOException, NoSuchAlgorithmException {
        SigningKey key = SigningKey.of(
                KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate());
        Path keys = Files.writeString(
                pki.directory().resolve("keys.json"), new KeySet(List.of(key.verification())).document());
        try (RunningServer server = start(
                "--http-check",
                "--check-identity=bearer",
                "--oidc-issuer-url=https://issuer.example",
                "--oidc-client-id=app",
                "--oidc-username-prefix=-",
                "--oidc-signing-algs=ES256,ES384,ES512",
                "--oidc-jwks-file=" + keys)) {
            assertThat(check(server, "GET /check/public/a", "Authorization: Bearer " + token(key, 60))
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> expired = check(
                    server,
                    "GET /check/public/a",
                    "Authorization: Bearer " + token(key, -60),
                    "X-Forwarded-User: alice");
            assertThat(expired.statusCode()).isEqualTo(401);
            assertThat(expired.headers().firstValue("www-authenticate")).contains("Bearer");
        }
    }

    private static String token(SigningKey key, int seconds) {
        return key.sign(JSON.createObjectNode()
                .put("iss", "https://issuer.example")
                .put("aud", "app")
                .put("sub", "alice")
                .put("exp", Instant.now().plusSeconds(seconds).getEpochSecond()));
    }

    @Test
    void checkClassesAreLoadedOnlyWithTheFlag() throws IOException {
        try (RunningServer server = RunningServer.start(Program.DECIDER, flags())) {
            assertThat(check(server, "GET /check/public/a", "X-Forwarded-User: alice")
                            .statusCode())
                    .isEqualTo(404);
            String jcmd =
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
            CompletedProcess loaded = Command.of(jcmd, Long.toString(server.pid()), "VM.class_hierarchy")
                    .run();
            assertThat(loaded.out())
                    .contains("io.plat.fronts.Decisions")
                    .doesNotContain("io.plat.fronts.check.")
                    .doesNotContain("com.nimbusds");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --check-paths=path                                                | --check-paths: requires --http-check or --envoy-check
        --http-check --check-identity=xfcc                                | --check-client-ca-file: required with --check-identity=xfcc
        --http-check --check-identity=bearer                              | --oidc-issuer-url: required with --check-identity=bearer
        --http-check --check-client-ca-file=a                             | --check-client-ca-file: requires --check-identity=xfcc or ssl-client-cert
        --http-check --oidc-issuer-url=https://a --oidc-client-id=a       | --oidc-issuer-url: requires --check-identity=bearer
        --http-check --check-identity=bearer --check-user-header=A --oidc-issuer-url=https://a --oidc-client-id=a | --check-user-header: requires --check-identity=header
        --http-check --check-user-header=X_User | --check-user-header: expected a name without underscores, which many servers read as hyphens: such requests are refused
        --http-check --check-user-header=a:b                              | --check-user-header: invalid value "a:b", expected the name of a header field
        --http-check --check-response-headers=X-A                         | --check-response-headers: invalid value "X-A", expected X-Auth-User, X-Auth-Groups, X-Auth-Decision-Id or X-Auth-Policy-Revision
        """)
    void contradictoryFlagsAreRefused(String more, String problem) {
        CompletedProcess run = Command.reused(Program.DECIDER)
                .with(flags(more.split(" ", -1)).toArray(String[]::new))
                .run();
        assertThat(run.exitStatus()).as(run.err()).isEqualTo(2);
        assertThat(run.err().lines()).anyMatch(line -> line.endsWith(problem));
    }
}
