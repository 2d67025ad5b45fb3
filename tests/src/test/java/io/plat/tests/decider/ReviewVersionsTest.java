package io.plat.tests.decider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stand-in for kube-apiserver: it sends reviews in the versions that kube-apiserver supports, and must get the same decisions as in the
 * specification's version.
 */
class ReviewVersionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TestPki pki;
    private static RunningServer decider;
    private static HttpsClient server;

    @BeforeAll
    static void start() {
        pki = TestPki.create().client("existing-server");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=RBAC,ABAC",
                "--authorization-rbac-path=" + Checkout.path("conf/samples/rbac"),
                "--authorization-policy-file=" + Checkout.path("conf/samples/abac/policy.jsonl")));
        decider = RunningServer.startReused(Program.DECIDER, flags);
        server = HttpsClient.of(pki, "existing-server");
    }

    @AfterAll
    static void stop() {
        server.close();
        decider.close();
        pki.close();
    }

    @ParameterizedTest(name = "{0} in [{1}]: {2} {3} in \"{4}\" -> {5}")
    @CsvSource(delimiter = '|', textBlock = """
            alice  | team-a-developers | get    | {"resource":"pods","namespace":"team-a"}                                     | true
            alice  | team-a-developers | get    | {"resource":"pods","subresource":"log","name":"w","namespace":"team-a"}      | true
            alice  | team-a-developers | get    | {"resource":"pods","namespace":"team-b"}                                     | false
            alice  | team-a-developers | get    | {"resource":"secrets","namespace":"team-a"}                                  | false
            alice  | team-a-developers | get    | {"resource":"secrets","namespace":"team-a","name":"registry-credentials"}    | true
            alice  | team-a-developers | update | {"resource":"deployments","group":"apps","version":"v1","namespace":"team-a"} | true
            olivia | operators         | delete | {"resource":"nodes","name":"n1"}                                             | true
            olivia | operators         | create | {"resource":"clusterroles","group":"rbac.authorization.k8s.io"}              | false
            carol  | auditors          | list   | {"resource":"clusterroles","group":"rbac.authorization.plat.io"}             | true
            carol  | auditors          | list   | {"resource":"clusterroles","group":"rbac.authorization.k8s.io"}              | true
            carol  | auditors          | watch  | {"resource":"pods"}                                                          | true
            root   | system:masters    | any    | {"resource":"anything","group":"example.com"}                                | true
            nobody | ''                | get    | {"resource":"pods","namespace":"team-a"}                                     | false
            system:serviceaccount:ci:deployer | system:serviceaccounts | patch | {"resource":"deployments","group":"apps","namespace":"team-b"} | true
            """)
    void everyVersionGetsTheSameDecision(String user, String group, String verb, String attributes, boolean allowed)
            throws IOException {
        String access = "\"resourceAttributes\":{\"verb\":\"" + verb + "\"," + attributes.substring(1);
        for (Version version : Version.values()) {
            assertThat(decide(version, user, group, access))
                    .as(version.apiVersion)
                    .isEqualTo(allowed);
        }
    }

    @ParameterizedTest(name = "{0} in [{1}]: {2} {3} -> {4}")
    @CsvSource(delimiter = '|', textBlock = """
            alice  | system:authenticated | get  | /version   | true
            alice  | system:authenticated | get  | /apis/apps | true
            alice  | system:authenticated | post | /version   | false
            alice  | system:authenticated | get  | /metrics   | false
            olivia | operators            | get  | /metrics   | true
            """)
    void everyVersionDecidesPathsAlike(String user, String group, String verb, String path, boolean allowed)
            throws IOException {
        String access = "\"nonResourceAttributes\":{\"verb\":\"" + verb + "\",\"path\":\"" + path + "\"}";
        for (Version version : Version.values()) {
            assertThat(decide(version, user, group, access))
                    .as(version.apiVersion)
                    .isEqualTo(allowed);
        }
    }

    @Test
    void kubernetesReviewIsAnsweredInKind() throws IOException {
        HttpResponse<String> response = server.post(decider.at("/authorize"), """
                {"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{"creationTimestamp":null},
                 "spec":{"resourceAttributes":{"namespace":"team-a","verb":"list","version":"v1","resource":"pods",
                 "labelSelector":{"requirements":[{"key":"app","operator":"In","values":["web"]}]}},
                 "user":"alice","groups":["team-a-developers","system:authenticated"],"uid":"42",
                 "extra":{"authentication.kubernetes.io/credential-id":["X509SHA256=00"]}},
                 "status":{"allowed":false}}
                """);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Decision-Id")).isPresent();
        assertThat(response.headers().firstValue("Policy-Revision")).isPresent();
        JsonNode review = JSON.readTree(response.body());
        assertThat(review.path("kind").asText()).isEqualTo("SubjectAccessReview");
        assertThat(review.path("apiVersion").asText()).isEqualTo("authorization.k8s.io/v1");
        assertThat(review.path("metadata").has("creationTimestamp")).isFalse();
        assertThat(review.path("spec").path("user").asText()).isEqualTo("alice");
        assertThat(review.path("spec").path("groups").get(0).asText()).isEqualTo("team-a-developers");
        assertThat(review.path("status").path("allowed").asBoolean()).isTrue();
        assertThat(review.path("status").path("reason").asText()).contains("developers", "team-a");
        assertThat(review.path("status").has("denied")).isFalse();
    }

    @Test
    void groupFieldOfAnotherVersionIsUnknown() throws IOException {
        String access = "\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\",\"namespace\":\"team-a\"}";
        HttpResponse<String> response = server.post(
                decider.at("/"),
                "{\"apiVersion\":\"authorization.plat.io/v1beta1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"alice\","
                        + "\"groups\":[\"team-a-developers\"]," + access + "}}");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(response.body()).path("status").path("allowed").asBoolean())
                .isFalse();
    }

    private static boolean decide(Version version, String user, String group, String access) throws IOException {
        String groups = group.isEmpty() ? "" : "\"" + version.groupsField + "\":[\"" + group + "\"],";
        String spec = "{\"user\":\"" + user + "\"," + groups + access + "}";
        boolean posted = false;
        boolean first = true;
        for (String path : List.of("/", "/authorize", version.path())) {
            HttpResponse<String> response = server.post(
                    decider.at(path),
                    "{\"apiVersion\":\"" + version.apiVersion + "\",\"kind\":\"SubjectAccessReview\",\"spec\":" + spec
                            + "}");
            assertThat(response.statusCode()).as(response.body()).isEqualTo(path.startsWith("/apis") ? 201 : 200);
            JsonNode review = JSON.readTree(response.body());
            assertThat(review.path("apiVersion").asText()).isEqualTo(version.apiVersion);
            boolean allowed = review.path("status").path("allowed").asBoolean();
            assertThat(first || allowed == posted)
                    .as("one answer on every path")
                    .isTrue();
            posted = allowed;
            first = false;
        }
        return posted;
    }

    private enum Version {
        PLAT("authorization.plat.io/v1beta1", "group"),
        V1("authorization.k8s.io/v1", "groups"),
        V1BETA1("authorization.k8s.io/v1beta1", "group");

        private final String apiVersion;
        private final String groupsField;

        Version(String apiVersion, String groupsField) {
            this.apiVersion = apiVersion;
            this.groupsField = groupsField;
        }

        String path() {
            return "/apis/" + apiVersion + "/subjectaccessreviews";
        }
    }
}
