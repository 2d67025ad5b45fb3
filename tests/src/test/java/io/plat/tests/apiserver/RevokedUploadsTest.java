package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import io.plat.tests.process.TlsConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A request whose body arrives after its permission or its credential was revoked is rejected: clients choose when they send it. */
class RevokedUploadsTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String TOKENS = "t0ken-a,uploader,1\n";

    private static StandaloneServer server;
    private static Path tokens = Path.of("");

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        tokens = Files.writeString(directory.resolve("tokens.csv"), TOKENS + "t0ken-b,other,2\n");
        server = StandaloneServer.startWithRoles("--token-auth-file=" + tokens);
        created(MAPS, "{\"metadata\":{\"name\":\"m\"}}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void created(String path, String body) throws IOException {
        assertThat(server.client().post(server.at(path), body).statusCode()).isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   | /api/v1/namespaces/default/configmaps                       | application/json             | {"metadata":{"name":"n"}}
            PUT    | /api/v1/namespaces/default/configmaps/m                     | application/json             | {"metadata":{"name":"m"}}
            PATCH  | /api/v1/namespaces/default/configmaps/m                     | application/merge-patch+json | {"data":{"a":"b"}}
            PATCH  | /api/v1/namespaces/default/configmaps/m?fieldManager=f      | application/apply-patch+yaml | {"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b"}}
            DELETE | /api/v1/namespaces/default/configmaps/m                     | application/json             | {"gracePeriodSeconds":0}
            DELETE | /api/v1/namespaces/default/configmaps                       | application/json             | {"gracePeriodSeconds":0}
            POST   | /api/v1/namespaces/default/serviceaccounts/default/token    | application/json             | {"spec":{}}
            POST   | /apis/authorization.k8s.io/v1/subjectaccessreviews          | application/json             | {"spec":{"user":"a","nonResourceAttributes":{"path":"/","verb":"get"}}}
            """)
    void permissionEndsBeforeTheBody(String method, String path, String type, String body) throws IOException {
        String binding = """
                {"metadata":{"name":"uploads"},"subjects":[{"kind":"User","name":"uploader"}],
                 "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"}}\
                """;
        created(RBAC, binding);
        try (TlsConnection upload = begin("t0ken-a", method, path, type, body)) {
            server.client().send("DELETE", server.at(RBAC + "/uploads"), null);
            assertThat(end(upload, body)).isEqualTo("HTTP/1.1 403 Forbidden");
        }
        assertThat(server.client().get(server.at(MAPS + "/m")).body()).doesNotContain("\"a\"");
        assertThat(server.client().get(server.at(MAPS + "/n")).statusCode()).isEqualTo(404);
    }

    @Test
    void tokenEndsBeforeTheBody() throws IOException {
        String body = "{\"spec\":{\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}";
        String path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
        try (TlsConnection upload = begin("t0ken-b", "POST", path, "application/json", body)) {
            Files.writeString(tokens, TOKENS);
            try (HttpsClient revoked =
                    HttpsClient.of(server.pki(), null).withHeader("Authorization", "Bearer t0ken-b")) {
                Awaitility.await().until(() -> revoked.get(server.at("/api")).statusCode() == 401);
            }
            assertThat(end(upload, body)).isEqualTo("HTTP/1.1 401 Unauthorized");
        }
    }

    /** Sends everything but the body, and waits until the request is authorized. */
    private static TlsConnection begin(String token, String method, String path, String type, String body)
            throws IOException {
        TlsConnection connection = TlsConnection.to(
                        server.pki().tls(null), server.process().port())
                .send(String.join(
                        "\r\n",
                        method + " " + path + " HTTP/1.1",
                        "Host: localhost",
                        "Authorization: Bearer " + token,
                        "Content-Type: " + type,
                        "Expect: 100-continue",
                        "Content-Length: " + body.length(),
                        "",
                        ""));
        // The server asks for the body after it has authorized the request.
        assertThat(connection.head()).isEqualTo("HTTP/1.1 100 Continue");
        return connection;
    }

    /** Sends the body once the request is so old that it is authorized again. */
    private static String end(TlsConnection upload, String body) throws IOException {
        Awaitility.await().pollDelay(Duration.ofMillis(600)).until(() -> true);
        return upload.send(body).head();
    }
}
