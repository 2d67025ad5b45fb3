package io.plat.apiserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.apiserver.TestingClient.Answer;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsEndToEndTest {
    private static final String POLICY = "--authorization-mode=AlwaysAllow";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final Path directory;
    private final TestingApiServer server;
    private final TestingClient client;

    RequestsEndToEndTest(@TempDir Path directory) throws IOException, UsageException, StartException {
        this.directory = directory;
        this.server = TestingApiServer.start(directory, POLICY);
        this.client = server.user("alice");
    }

    @BeforeAll
    void fill() throws IOException {
        assertThat(client.post(MAPS, "{\"metadata\":{\"name\":\"there\"},\"data\":{\"k\":\"v\"}}")
                        .code())
                .isEqualTo(201);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void objectIsCreatedReadListedReplacedAndDeleted() throws Exception {
        Answer created = client.post(MAPS, "{\"metadata\":{\"name\":\"a\"},\"data\":{\"x\":\"1\"}}");
        assertThat(created.code()).isEqualTo(201);
        assertThat(created.json().path("kind").asText()).isEqualTo("ConfigMap");
        assertThat(client.get(MAPS + "/a").json()).isEqualTo(created.json());
        assertThat(client.get(MAPS).json().path("items").toString()).contains("\"name\":\"a\"");
        assertThat(client.get(MAPS).json().path("metadata").path("continue").asText("absent"))
                .isEmpty();
        String changed = created.body().replace("\"x\":\"1\"", "\"x\":\"2\"");
        assertThat(client.put(MAPS + "/a", changed).code()).isEqualTo(200);
        assertThat(client.put(MAPS + "/a", changed).code()).isEqualTo(409);
        Answer deleted = client.delete(MAPS + "/a");
        assertThat(deleted.code()).isEqualTo(200);
        assertThat(deleted.json().path("status").asText()).isEqualTo("Success");
        assertThat(client.get(MAPS + "/a").code()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            GET     | /api/v1/namespaces/default                 | 200
            HEAD    | /api/v1/namespaces/default/configmaps/there | 200
            GET     | /api/v1/namespaces/default/configmaps/zz   | 404
            GET     | /api/v1/namespaces/default/zebras          | 404
            GET     | /apis/nope.example/v1/zebras               | 404
            GET     | /api/v2/pods                               | 404
            GET     | /api/v1/pods                               | 200
            GET     | /api/v1/pods/p                             | 404
            POST    | /api/v1/pods                               | 405
            DELETE  | /api/v1/pods                               | 405
            POST    | /api/v1/namespaces/default/configmaps/there | 405
            PUT     | /api/v1/namespaces/default/configmaps      | 405
            PATCH   | /api/v1/namespaces/default/configmaps/there | 415
            PATCH   | /api/v1/namespaces/default/configmaps | 405
            OPTIONS | /api/v1/namespaces/default/configmaps      | 405
            PURGE   | /api/v1/namespaces/default/configmaps      | 405
            GET     | /api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=-1 | 200
            GET     | /api/v1/watch/namespaces/default/configmaps?timeoutSeconds=-1 | 200
            HEAD    | /api/v1/namespaces/default/configmaps?watch=1 | 200
            POST    | /api/v1/watch/namespaces/default/configmaps | 405
            DELETE  | /api/v1/namespaces                         | 405
            GET     | /api/v1/namespaces/default/namespaces      | 404
            GET     | /apis/rbac.authorization.k8s.io/v1/namespaces/default/clusterroles | 404
            GET     | /api/v1/namespaces/default/configmaps/there/status | 404
            GET     | /api/v1/namespaces/default/pods/p/log      | 404
            GET     | /api/v1/namespaces/default/pods/p/proxy/x  | 501
            GET     | /api/v1/proxy/namespaces/default/pods/p/x  | 501
            GET     | /api/v1/redirect/namespaces/default/pods/p | 501
            GET     | /apis/authorization.k8s.io/v1/subjectaccessreviews | 405
            POST    | /apis/authorization.k8s.io/v1/subjectaccessreviews/x | 404
            POST    | /apis/authorization.k8s.io/v1/namespaces/default/subjectaccessreviews | 404
            POST    | /apis/authorization.k8s.io/v1/localsubjectaccessreviews | 404
            GET     | /version                                   | 200
            POST    | /version                                   | 405
            GET     | /nope                                      | 404
            GET     | /api/v1/namespaces/default/configmaps?limit=x | 400
            GET     | /api/v1/namespaces/default/configmaps?labelSelector=%3D%3D | 400
            """)
    void everyRequestHasItsStatusCode(String method, String target, int code) throws IOException {
        Answer answer = client.request(method, target, "");
        assertThat(answer.code()).as(answer.body()).isEqualTo(code);
        if (code >= 400) {
            assertThat(answer.json().path("kind").asText()).isEqualTo("Status");
            assertThat(answer.json().path("code").asInt()).isEqualTo(code);
            assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        }
    }

    @Test
    void bodiesMustBeJsonOrYaml() throws Exception {
        assertThat(client.with("Content-Type", "application/yaml")
                        .post(MAPS, "metadata:\n  name: from-yaml\ndata:\n  on: \"1\"\n")
                        .code())
                .isEqualTo(201);
        assertThat(client.get(MAPS + "/from-yaml").json().path("data").toString())
                .isEqualTo("{\"true\":\"1\"}".replace("true", "on"));
        Answer csv = client.with("Content-Type", "text/csv").post(MAPS, "x");
        assertThat(csv.code()).isEqualTo(415);
        assertThat(client.with("Accept", "text/csv").get(MAPS).code()).isEqualTo(406);
        assertThat(client.post(MAPS, "{\"apiVersion\":\"v1\",").code()).isEqualTo(400);
        assertThat(client.post(MAPS, "").code()).isEqualTo(400);
    }

    @Test
    void contentTypeSelectsThePatchType() throws Exception {
        assertThat(client.post(MAPS, "{\"metadata\":{\"name\":\"patched\"}}").code())
                .isEqualTo(201);
        String target = MAPS + "/patched";
        Answer merged = client.with("Content-Type", "application/merge-patch+json; charset=utf-8")
                .request("PATCH", target, "{\"data\":{\"k\":\"v\"}}");
        assertThat(merged.json().path("data").toString()).isEqualTo("{\"k\":\"v\"}");
        Answer removed = client.with("Content-Type", "application/json-patch+json")
                .request("PATCH", target, "[{\"op\":\"remove\",\"path\":\"/data/k\"}]");
        assertThat(removed.code()).isEqualTo(200);
        assertThat(removed.json().has("data")).isFalse();
        Answer strategic = client.with("Content-Type", "application/strategic-merge-patch+json")
                .request("PATCH", target, "{\"metadata\":{\"finalizers\":[\"x.example/a\"]},\"data\":null}");
        assertThat(strategic.code()).isEqualTo(200);
        Answer none = client.with("Content-Type", "application/json").request("PATCH", target, "{}");
        assertThat(none.code()).isEqualTo(415);
        assertThat(none.message()).isEqualTo("415: Unsupported Media Type");
    }

    @Test
    void bodyOfMoreThanThreeMebibytesIsRefused() throws IOException {
        Answer answer = client.raw("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3145729\r\n\r\n");
        assertThat(answer.code()).isEqualTo(413);
    }

    @Test
    void unknownFieldsOfTokenRequestsAreReported() throws IOException {
        String path = "/api/v1/namespaces/default/serviceaccounts/default/token";
        String body = "{\"spec\":{\"audience\":\"x\",\"audiences\":[]}}";
        Answer warned = client.post(path, body);
        assertThat(warned.code()).as(warned.body()).isEqualTo(201);
        assertThat(warned.header("Warning")).isEqualTo("299 - \"unknown field \\\"spec.audience\\\"\"");
        Answer refused = client.post(path + "?fieldValidation=Strict", body);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message())
                .isEqualTo("TokenRequest in version \"v1\" cannot be handled as a TokenRequest: strict decoding error:"
                        + " unknown field \"spec.audience\"");
        assertThat(client.post(path + "?fieldValidation=Ignore", body).code()).isEqualTo(201);
        assertThat(client.post(path + "?fieldValidation=Perhaps", body).code()).isEqualTo(422);
        assertThat(client.post(path, "{\"spec\":{\"expirationSeconds\":\"x\"}}").code())
                .isEqualTo(400);
    }

    @Test
    void fieldValidationIsSelectedByTheClient() throws IOException {
        String body = "{\"metadata\":{\"name\":\"w\"},\"dat\":{}}";
        assertThat(client.post(MAPS + "?fieldValidation=Strict&dryRun=All", body)
                        .code())
                .isEqualTo(400);
        Answer warned = client.post(MAPS + "?fieldValidation=Warn&dryRun=All", body);
        assertThat(warned.code()).isEqualTo(201);
        assertThat(warned.header("Warning")).isEqualTo("299 - \"unknown field \\\"dat\\\"\"");
        assertThat(client.post(MAPS + "?fieldValidation=Perhaps", body).code()).isEqualTo(422);
        assertThat(client.post(MAPS + "?dryRun=Some", body).code()).isEqualTo(422);
        assertThat(client.get(MAPS + "/w").code()).isEqualTo(404);
    }

    @Test
    void noBodyIsReadBeforeTheRequestIsAuthorized(@TempDir Path other) throws Exception {
        try (TestingApiServer denying = TestingApiServer.start(other, "--authorization-mode=AlwaysDeny")) {
            Answer answer = denying.user("alice")
                    .raw("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 100\r\n\r\n");
            assertThat(answer.code()).isEqualTo(403);
            assertThat(denying.user("alice")
                            .with("Content-Type", "text/csv")
                            .post(MAPS, "x")
                            .code())
                    .isEqualTo(403);
            assertThat(denying.user("alice").get("/api/v1/zebras").code()).isEqualTo(403);
        }
    }

    @Test
    void acknowledgedWritesSurviveARestart(@TempDir Path other) throws Exception {
        String before;
        try (TestingApiServer first = TestingApiServer.start(other, POLICY)) {
            before = first.admin()
                    .post(MAPS, "{\"metadata\":{\"name\":\"kept\"},\"data\":{\"k\":\"v\"}}")
                    .body();
        }
        try (TestingApiServer second = TestingApiServer.start(other, POLICY)) {
            assertThat(second.admin().get(MAPS + "/kept").body()).isEqualTo(before);
        }
    }

    @Test
    void requestsBeyondTheLimitReceive429(@TempDir Path other) throws Exception {
        try (TestingApiServer narrow = TestingApiServer.start(other, POLICY, "--max-mutating-requests-inflight=1");
                RawClient slow = new RawClient(narrow.address(), narrow.pki().client("slow"))) {
            slow.send("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
            TestingClient hasty = narrow.user("hasty");
            Answer refused = await().until(() -> hasty.post(MAPS, "{}"), answer -> answer.code() == 429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(hasty.get(MAPS).code()).isEqualTo(200);
            assertThat(narrow.admin().post(MAPS, "{}").code()).isEqualTo(422);
        }
    }

    @Test
    void greedyClientDoesNotStarveOthers(@TempDir Path other) throws Exception {
        try (TestingApiServer narrow = TestingApiServer.start(other, POLICY, "--max-mutating-requests-inflight=5")) {
            List<RawClient> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    RawClient one = new RawClient(narrow.address(), narrow.pki().client("greedy"));
                    slow.add(one);
                    one.send("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
                }
                TestingClient greedy = narrow.user("greedy");
                await().until(() -> greedy.post(MAPS, "{}"), answer -> answer.code() == 429);
                assertThat(narrow.user("quiet").post(MAPS, "{}").code()).isEqualTo(422);
                assertThat(greedy.post(MAPS, "{}").code()).isEqualTo(429);
            } finally {
                // Stopped before the server, which would wait for their bodies.
                for (RawClient one : slow) {
                    one.close();
                }
            }
        }
    }

    @Test
    void impersonationHeadersRequireAUser() throws IOException {
        assertThat(client.with("Impersonate-User", "bob").get(MAPS).code()).isEqualTo(200);
        Answer refused = client.with("Impersonate-Group", "dev").get(MAPS);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(refused.message()).isEqualTo("requested [{Group  dev    }] without impersonating a user");
    }

    @Test
    void namesInHeadersAreUtf8() throws IOException {
        String name = new String("jürgen".getBytes(UTF_8), ISO_8859_1);
        assertThat(client.with("Impersonate-User", name)
                        .post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}")
                        .json()
                        .at("/status/userInfo/username")
                        .asText())
                .isEqualTo("jürgen");
    }

    @Test
    void storeInUseIsRefused(@TempDir Path other) {
        String inUse = "--data-dir=" + directory.resolve("data");
        assertThatThrownBy(() -> TestingApiServer.start(other, POLICY, inUse).close())
                .isInstanceOfSatisfying(
                        StartException.class,
                        e -> assertThat(e.problems()).singleElement().asString().startsWith("--data-dir: "));
    }
}
