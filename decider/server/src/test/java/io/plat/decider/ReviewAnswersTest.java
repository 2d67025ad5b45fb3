package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import io.plat.review.codec.SelfReviewCodec;
import io.plat.review.status.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every path and version that accepts a review, and the responses. */
class ReviewAnswersTest {
    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory);
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    private static final String POD =
            "\"resourceAttributes\":{\"namespace\":\"team-a\",\"verb\":\"VERB\",\"resource\":\"pods\"}";

    private static String subject(String apiVersion, String groups, String user, String verb) {
        return "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"" + user
                + "\",\"" + groups + "\":[\"developers\"]," + POD.replace("VERB", verb) + "}}";
    }

    @ParameterizedTest
    @CsvSource({
        "/, authorization.plat.io/v1beta1, group, 200",
        "/, authorization.k8s.io/v1, groups, 200",
        "/, authorization.k8s.io/v1beta1, group, 200",
        "/authorize, authorization.plat.io/v1beta1, group, 200",
        "/authorize, authorization.k8s.io/v1, groups, 200",
        "/authorize, authorization.k8s.io/v1beta1, group, 200",
        "/apis/authorization.plat.io/v1beta1/subjectaccessreviews, authorization.plat.io/v1beta1, group, 201",
        "/apis/authorization.k8s.io/v1/subjectaccessreviews, authorization.k8s.io/v1, groups, 201",
        "/apis/authorization.k8s.io/v1beta1/subjectaccessreviews, authorization.k8s.io/v1beta1, group, 201",
    })
    void everyVersionIsAnsweredInItsOwnVocabulary(String path, String apiVersion, String groups, int code)
            throws IOException {
        try (RawClient client = decider.connect()) {
            RawAnswer allowed = client.postJson(path, subject(apiVersion, groups, "bob", "get"));
            assertThat(allowed.code()).as(allowed.text()).isEqualTo(code);
            assertThat(allowed.field("Content-Type")).contains("application/json");
            assertThat(allowed.text())
                    .contains("\"apiVersion\":\"" + apiVersion + "\"")
                    .contains("\"kind\":\"SubjectAccessReview\"")
                    .contains("\"" + groups + "\":[\"developers\"]")
                    .contains("\"allowed\":true")
                    .contains("policy.jsonl:2");
            RawAnswer denied = client.postJson(path, subject(apiVersion, groups, "bob", "delete"));
            assertThat(denied.code()).isEqualTo(code);
            assertThat(denied.text()).contains("\"allowed\":false").doesNotContain("\"denied\":true");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "authorization.plat.io/v1beta1",
        "authorization.k8s.io/v1",
        "authorization.k8s.io/v1beta1",
    })
    void selfReviewsAreForTheCertificatesUser(String apiVersion) throws IOException {
        String path = "/apis/" + apiVersion + "/selfsubjectaccessreviews";
        String body = "{\"spec\":{" + POD.replace("VERB", "delete") + "}}";
        try (RawClient alice = decider.connect();
                RawClient bob = decider.connect(decider.pki.client("bob", "developers"))) {
            assertThat(alice.postJson(path, body).text())
                    .contains("\"allowed\":true")
                    .contains("\"kind\":\"SelfSubjectAccessReview\"")
                    .contains("\"apiVersion\":\"" + apiVersion + "\"");
            assertThat(bob.postJson(path, body).text()).contains("\"allowed\":false");
            RawAnswer read = bob.postJson(path, body.replace("delete", "get"));
            assertThat(read.code()).isEqualTo(201);
            assertThat(read.text()).contains("\"allowed\":true");
        }
    }

    @Test
    void localReviewsUseTheNamespaceOfThePath() throws IOException {
        String body = "{\"spec\":{\"user\":\"alice\"," + POD.replace("VERB", "delete") + "}}";
        try (RawClient client = decider.connect()) {
            String path = "/apis/authorization.k8s.io/v1/namespaces/%s/localsubjectaccessreviews";
            RawAnswer allowed = client.postJson(path.formatted("team-a"), body);
            assertThat(allowed.code()).as(allowed.text()).isEqualTo(201);
            assertThat(allowed.text()).contains("\"allowed\":true").contains("LocalSubjectAccessReview");
            assertThat(client.postJson(path.formatted("team-b"), body).code()).isBetween(400, 422);
            assertThat(client.postJson(path.formatted("Team_A"), body).code()).isEqualTo(404);
            assertThat(client.postJson(path.formatted("team%2da"), body).code()).isEqualTo(404);
        }
    }

    @Test
    void selfSubjectReviewIsTheCertificate() throws IOException {
        try (RawClient client = decider.connect(decider.pki.client("carol", "ops", "audit"))) {
            RawAnswer answer = client.postJson(
                    SelfReviewCodec.PATH,
                    "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\",\"metadata\":{}}");
            assertThat(answer.code()).isEqualTo(201);
            assertThat(answer.text())
                    .isEqualTo(
                            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"metadata\":"
                                    + "{},\"status\":{\"userInfo\":{\"username\":\"carol\",\"groups\":[\"ops\","
                                    + "\"audit\",\"system:authenticated\"]}}}");
            assertThat(client.postJson(SelfReviewCodec.PATH, "{\"kind\":\"Other\"}")
                            .code())
                    .isEqualTo(400);
            assertThat(client.postJson(SelfReviewCodec.PATH, "[]").code()).isEqualTo(400);
            assertThat(client.postJson(SelfReviewCodec.PATH, "{} x").code()).isEqualTo(400);
        }
    }

    @Test
    void everyResponseHasIdAndRevision() throws IOException {
        Set<String> ids = new HashSet<>();
        Set<String> revisions = new HashSet<>();
        try (RawClient client = decider.connect()) {
            for (String path : new String[] {"/livez", "/metrics", "/version", "/nowhere", "/readyz?verbose"}) {
                RawAnswer answer = client.get(path);
                ids.add(answer.field("Decision-Id").orElseThrow());
                revisions.add(answer.field("Policy-Revision").orElseThrow());
            }
            RawAnswer review =
                    client.postJson("/authorize", subject("authorization.k8s.io/v1", "groups", "bob", "get"));
            ids.add(review.field("Decision-Id").orElseThrow());
            revisions.add(review.field("Policy-Revision").orElseThrow());
            RawAnswer malformed = client.postJson("/authorize", "{");
            ids.add(malformed.field("Decision-Id").orElseThrow());
            revisions.add(malformed.field("Policy-Revision").orElseThrow());
        }
        assertThat(ids).hasSize(7).allMatch(id -> id.matches("[0-9a-f]{32}"));
        assertThat(revisions).hasSize(1);
    }

    /** A refused request, and its response. */
    record Refused(String name, String head, String body, int code, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Refused> refused() {
        String post = "POST /authorize HTTP/1.1\r\nHost: localhost\r\n";
        String json = post + "Content-Type: application/json\r\n";
        String review = subject("authorization.k8s.io/v1", "groups", "bob", "get");
        return Stream.of(
                new Refused("get", "GET /authorize HTTP/1.1\r\nHost: localhost\r\n", "", 405, "method"),
                new Refused("get at the root", "GET / HTTP/1.1\r\nHost: localhost\r\n", "", 405, "method"),
                new Refused(
                        "put",
                        "PUT /apis/authorization.k8s.io/v1/subjectaccessreviews HTTP/1.1\r\nHost: localhost\r\n",
                        "",
                        405,
                        "method"),
                new Refused("empty", json, "", 400, ""),
                new Refused("no JSON", json, "spec: {}", 400, "JSON"),
                new Refused("cut off", json, review.substring(0, 60), 400, "JSON"),
                new Refused("two documents", json, review + review, 400, ""),
                new Refused("no apiVersion", json, "{\"kind\":\"SubjectAccessReview\"}", 400, "apiVersion"),
                new Refused(
                        "unknown version",
                        json,
                        review.replace("authorization.k8s.io/v1", "authorization.k8s.io/v9"),
                        400,
                        "authorization.k8s.io/v9"),
                new Refused(
                        "another kind", json, review.replace("SubjectAccessReview", "TokenReview"), 400, "TokenReview"),
                new Refused(
                        "nobody asks", json, review.replace("bob", "").replace("[\"developers\"]", "[]"), 422, "user"),
                new Refused(
                        "neither attributes",
                        json,
                        "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"a\"}}",
                        422,
                        "resourceAttributes"),
                new Refused("text", post + "Content-Type: text/plain\r\n", review, 415, "application/json"),
                new Refused(
                        "protobuf",
                        post + "Content-Type: application/vnd.kubernetes.protobuf\r\n",
                        review,
                        415,
                        "application/json"),
                new Refused("compressed", json + "Content-Encoding: gzip\r\n", review, 415, "application/json"),
                new Refused(
                        "wants protobuf",
                        json + "Accept: application/vnd.kubernetes.protobuf\r\n",
                        review,
                        406,
                        "application/json"),
                new Refused(
                        "does not accept JSON",
                        json + "Accept: application/json;q=0, text/plain\r\n",
                        review,
                        406,
                        "json"),
                new Refused(
                        "unknown path",
                        "POST /apis/authorization.k8s.io/v1/nothings HTTP/1.1\r\nHost: localhost\r\n",
                        review,
                        404,
                        "Not Found"),
                new Refused(
                        "unknown version in the path",
                        "POST /apis/authorization.k8s.io/v2/subjectaccessreviews HTTP/1.1\r\nHost: localhost\r\n",
                        review,
                        404,
                        "Not Found"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void malformedReviewsAreRefusedWithAStatus(Refused refused) throws IOException {
        try (RawClient client = decider.connect()) {
            String length = "Content-Length: " + refused.body().length() + "\r\n\r\n";
            RawAnswer answer =
                    client.send(refused.head() + length + refused.body()).answer();
            assertThat(answer.code()).as(answer.text()).isEqualTo(refused.code());
            Status status = answer.status();
            assertThat(status.code()).isEqualTo(refused.code());
            assertThat(status.message()).contains(refused.message());
            assertThat(answer.text()).doesNotContain("\"allowed\"");
        }
    }

    @Test
    void tooLargeBodiesAreRefusedUnread() throws IOException {
        try (RawClient client = decider.connect()) {
            RawAnswer answer = client.send(
                            "POST /authorize HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3145729\r\n\r\n")
                    .answer();
            assertThat(answer.code()).isEqualTo(413);
            assertThat(answer.status().reason().word()).isEqualTo("RequestEntityTooLarge");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Type: application/json; charset=utf-8",
                "Content-Type: APPLICATION/JSON",
                "Accept: application/json, */*",
                "Accept: */*",
                "Accept: application/vnd.kubernetes.protobuf,application/json",
                "Accept: application/json;as=Table;v=v1;g=meta.k8s.io, application/json",
                "Accept: application/*",
            })
    void mediaTypesAreNegotiated(String field) throws IOException {
        String review = subject("authorization.k8s.io/v1", "groups", "bob", "get");
        try (RawClient client = decider.connect()) {
            RawAnswer answer = client.send("POST /authorize HTTP/1.1\r\nHost: localhost\r\n" + field
                            + "\r\nContent-Length: " + review.length() + "\r\n\r\n" + review)
                    .answer();
            assertThat(answer.code()).as(answer.text()).isEqualTo(200);
        }
    }

    @Test
    void operatorRoutesAreServed() throws IOException {
        try (RawClient client = decider.connect()) {
            assertThat(client.get("/livez").text()).isEqualTo("ok");
            assertThat(client.get("/readyz?verbose").text())
                    .contains("[+]ping ok\n", "[+]policy ok\n", "[+]shutdown ok\n", "readyz check passed\n");
            assertThat(client.get("/healthz/ping").text()).isEqualTo("ok");
            assertThat(client.get("/version").text()).contains("\"major\":\"1\",\"minor\":\"32\"");
            client.postJson("/", subject("authorization.k8s.io/v1", "groups", "bob", "get"));
            client.postJson("/", subject("authorization.k8s.io/v1", "groups", "bob", "delete"));
            assertThat(client.get("/metrics").text())
                    .contains(
                            "apiserver_authorization_decisions_total{decision=\"allowed\",name=\"abac\",type=\"ABAC\"}")
                    .contains(
                            "apiserver_authorization_decisions_total{decision=\"denied\",name=\"abac\",type=\"ABAC\"}")
                    .contains("tls_certificate_expiration_timestamp_seconds{what=\"serving-certificate\"}")
                    .contains("policy_objects{kind=\"abac_line\"} 3.0")
                    .contains("http_request_duration_seconds_count{code=\"200\",method=\"POST\"}");
        }
    }
}
