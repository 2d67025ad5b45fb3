package io.plat.tests.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The certification scenario of the working group: its fixture as role objects and a mapping, and the requirements of its harness. */
class CertificationScenarioTest {
    private static final String ALICE = "\"subject\":{\"type\":\"user\",\"id\":\"alice\"}";
    private static final String BOB = "\"subject\":{\"type\":\"user\",\"id\":\"bob\"}";
    private static final String READ = "\"action\":{\"name\":\"read\"}";
    private static final String RECORD = "\"resource\":{\"type\":\"record\",\"id\":\"record-1\"}";
    private static final String ARCHIVED =
            "\"resource\":{\"type\":\"record\",\"id\":\"record-2\",\"properties\":{\"status\":\"archived\"}}";

    private static AuthZenDecider decider;

    @BeforeAll
    static void start() {
        decider = AuthZenDecider.start(
                TestPki.create(),
                "--public-url=https://pdp.example.com",
                "--authorization-mode=RBAC",
                "--authorization-rbac-path=" + AuthZenDecider.file("certification-roles.yaml"),
                "--authzen-mapping=" + AuthZenDecider.file("certification-mapping.yaml"));
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"type":"user","id":"alice"} | {"name":"read"} | {"type":"record","id":"record-1"} | true
            {"type":"user","id":"alice"} | {"name":"write"} | {"type":"record","id":"record-1"} | true
            {"type":"user","id":"bob"} | {"name":"read"} | {"type":"record","id":"record-1"} | true
            {"type":"user","id":"bob"} | {"name":"write"} | {"type":"record","id":"record-1"} | false
            {"type":"user","id":"alice"} | {"name":"write"} | {"type":"record","id":"record-2","properties":{"status":"archived"}} | false
            {"type":"user","id":"bob","properties":{"role":"admin"}} | {"name":"write"} | {"type":"record","id":"record-2","properties":{"status":"archived"}} | true
            {"type":"user","id":"alice"} | {"name":"delete","properties":{"soft":true}} | {"type":"record","id":"record-1"} | true
            {"type":"user","id":"alice"} | {"name":"delete","properties":{"soft":false}} | {"type":"record","id":"record-1"} | false
            {"type":"user","id":"alice","properties":{"department":"Sales","role":"manager"}} | {"name":"read","properties":{"method":"GET"}} | {"type":"record","id":"record-1","properties":{"status":"active","owner":"bob"}} | true
            """)
    void fixture(String subject, String action, String resource, boolean decision) throws IOException {
        String request = "{\"subject\":%s,\"action\":%s,\"resource\":%s".formatted(subject, action, resource);
        for (int i = 0; i < 3; i++) {
            assertThat(decider.evaluate(request + "}")).isEqualTo(decision);
        }
        assertThat(decider.evaluate(
                        request + ",\"context\":{\"time\":\"2025-06-27T18:03-07:00\",\"ip\":\"192.168.1.1\"}}"))
                .isEqualTo(decision);
        assertThat(decider.evaluate(request + ",\"foo\":\"bar\",\"futureField\":{\"nested\":true},\"evaluations\":7}"))
                .isEqualTo(decision);
        assertThat(decider.ok(AuthZenDecider.EVALUATIONS, request + "}")
                        .path("decision")
                        .asBoolean())
                .isEqualTo(decision);
        assertThat(decider.ok(AuthZenDecider.EVALUATIONS, request + ",\"evaluations\":[]}")
                        .path("decision")
                        .asBoolean())
                .isEqualTo(decision);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"action":{"name":"read"}}
            {"subject":{"id":"alice"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"action":{},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"record"}}
            {"subject":"alice","action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":"alice"},"action":{"name":123},"resource":{"type":"record","id":"record-1"}}
            {"subject":{"type":"user","id":null},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            {"subject":
            []
            ``
            """)
    void malformedRequestsAreBadRequests(String body) throws IOException {
        for (String path : List.of(AuthZenDecider.EVALUATION, AuthZenDecider.EVALUATIONS)) {
            HttpResponse<String> response = decider.post(path, body);
            assertThat(response.statusCode()).as(body).isEqualTo(400);
            assertThat(response.body()).contains("\"message\"");
        }
    }

    @Test
    void anotherMediaTypeIsABadRequest() throws IOException {
        String request = "{" + ALICE + "," + READ + "," + RECORD + "}";
        for (String type : List.of("text/plain", "application/xml", "application/jsonx")) {
            assertThat(decider.client()
                            .send("POST", decider.server().at(AuthZenDecider.EVALUATION), type, request)
                            .statusCode())
                    .as(type)
                    .isEqualTo(400);
        }
        assertThat(decider.client()
                        .send(
                                "POST",
                                decider.server().at(AuthZenDecider.EVALUATION),
                                "application/json; charset=utf-8",
                                request)
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"subject":{"type":"user","id":"bob"},"resource":{"type":"record","id":"record-1"},"evaluations":[{"action":{"name":"read"}},{"action":{"name":"write"}}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"write"},"evaluations":[{"resource":{"type":"record","id":"record-1","properties":{"status":"active"}}},{"resource":{"type":"record","id":"record-2","properties":{"status":"archived"}}}]} | true,false
            {"action":{"name":"write"},"resource":{"type":"record","id":"record-2","properties":{"status":"archived"}},"evaluations":[{"subject":{"type":"user","id":"alice"}},{"subject":{"type":"user","id":"bob","properties":{"role":"admin"}}}]} | false,true
            {"evaluations":[{"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}},{"subject":{"type":"user","id":"bob"},"action":{"name":"write"},"resource":{"type":"record","id":"record-1"}}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"write"},"resource":{"type":"record","id":"record-1","properties":{"status":"active"}},"evaluations":[{},{"resource":{"type":"record","id":"record-2","properties":{"status":"archived"}}}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"options":{"evaluations_semantic":"execute_all","another_option":"value"},"evaluations":[{"resource":{"type":"record","id":"record-1"}},{}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"write"},"options":{"evaluations_semantic":"deny_on_first_deny"},"evaluations":[{"resource":{"type":"record","id":"record-1"}},{"resource":{"type":"record","id":"record-2"}},{"resource":{"type":"record","id":"record-1"}}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"write"},"options":{"evaluations_semantic":"deny_on_first_deny"},"evaluations":[{"resource":{"type":"record","id":"record-1"}},{"resource":{"type":"record"}},{"resource":{"type":"record","id":"record-1"}}]} | true,false
            {"subject":{"type":"user","id":"alice"},"action":{"name":"write"},"options":{"evaluations_semantic":"permit_on_first_permit"},"evaluations":[{"resource":{"type":"record","id":"record-2"}},{"resource":{"type":"record","id":"record-1"}},{"resource":{"type":"record","id":"record-1"}}]} | false,true
            """)
    void batches(String body, String decisions) throws IOException {
        List<Boolean> expected =
                List.of(decisions.split(",", -1)).stream().map(Boolean::valueOf).toList();
        JsonNode answer = decider.ok(AuthZenDecider.EVALUATIONS, body);
        assertThat(AuthZenDecider.decisions(answer)).isEqualTo(expected);
        assertThat(answer.has("decision")).isFalse();
    }

    @Test
    void unknownSemanticIsABadRequest() throws IOException {
        String body = "{" + ALICE + "," + READ + "," + RECORD
                + ",\"evaluations\":[{}],\"options\":{\"evaluations_semantic\":\"any\"}}";
        assertThat(decider.post(AuthZenDecider.EVALUATIONS, body).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}} | alice,bob
            subject  | {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"},"context":{"ip":"192.168.1.1"}} | alice,bob
            subject  | {"subject":{"type":"user"},"action":{"name":"write"},"resource":{"type":"record","id":"record-2","properties":{"status":"archived"}}} | bob
            resource | {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"record"}} | record-1
            resource | {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"record","id":"record-9"}} | record-1
            resource | {"subject":{"type":"user","id":"bob","properties":{"role":"admin"}},"action":{"name":"write"},"resource":{"type":"record"}} | record-2
            action   | {"subject":{"type":"user","id":"alice"},"resource":{"type":"record","id":"record-1"}} | read,write
            action   | {"subject":{"type":"user","id":"bob","properties":{"role":"admin"}},"resource":{"type":"record","id":"record-2","properties":{"status":"archived"}}} | read,write
            action   | {"subject":{"type":"user","id":"nonexistent-user"},"resource":{"type":"record","id":"record-1"}} | ``
            subject  | {"subject":{"type":"spaceship"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}} | ``
            resource | {"subject":{"type":"spaceship","id":"x"},"action":{"name":"read"},"resource":{"type":"record"}} | ``
            resource | {"subject":{"type":"user","id":"alice"},"action":{"name":"read"},"resource":{"type":"spaceship"}} | ``
            action   | {"subject":{"type":"spaceship","id":"x"},"resource":{"type":"record","id":"record-1"}} | ``
            """)
    void searches(String kind, String body, String ids) throws IOException {
        JsonNode answer = decider.ok("/access/v1/search/" + kind, body);
        assertThat(AuthZenDecider.ids(answer)).isEqualTo(ids.isEmpty() ? List.of() : List.of(ids.split(",", -1)));
        assertThat(answer.path("page").path("next_token").asText("-")).isEmpty();
        answer.path("results").forEach(one -> assertThat(one.has("type")).isEqualTo(!kind.equals("action")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            subject  | {"subject":{"type":"user"},"resource":{"type":"record","id":"record-1"}}
            resource | {"action":{"name":"read"},"resource":{"type":"record"}}
            action   | {"subject":{"type":"user","id":"alice"}}
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record"}}
            resource | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record"}}
            action   | {"subject":{"type":"user"},"resource":{"type":"record","id":"record-1"}}
            subject  | {"subject":{},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"}}
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"},"page":{"limit":-1}}
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"},"page":{"limit":"1"}}
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"},"page":{"token":"AAAA"}}
            subject  | {"subject":{"type":"user"},"action":{"name":"read"},"resource":{"type":"record","id":"record-1"},"page":{"token":"=%"}}
            """)
    void malformedSearchesAreBadRequests(String kind, String body) throws IOException {
        assertThat(decider.post("/access/v1/search/" + kind, body).statusCode()).isEqualTo(400);
    }

    @Test
    void pageTokensContinueASearch() throws IOException {
        String body = "{\"subject\":{\"type\":\"user\"}," + READ + "," + RECORD + ",\"page\":{%s}}";
        String path = "/access/v1/search/subject";
        JsonNode first = decider.ok(path, body.formatted("\"limit\":1"));
        assertThat(AuthZenDecider.ids(first)).containsExactly("alice");
        assertThat(first.path("page").path("count").asInt()).isEqualTo(1);
        assertThat(first.path("page").path("total").asInt()).isEqualTo(2);
        String token = "\"token\":\"" + first.path("page").path("next_token").asText() + "\"";
        for (String same : List.of(token, token + ",\"limit\":1")) {
            JsonNode second = decider.ok(path, body.formatted(same));
            assertThat(AuthZenDecider.ids(second)).containsExactly("bob");
            assertThat(second.path("page").path("next_token").asText("-")).isEmpty();
        }
        assertThat(decider.post(path, body.formatted(token + ",\"limit\":2")).statusCode())
                .isEqualTo(400);
        assertThat(decider.post(path, body.formatted(token).replace("record-1", "record-2"))
                        .statusCode())
                .isEqualTo(400);
        JsonNode none = decider.ok(path, body.formatted("\"limit\":0"));
        assertThat(AuthZenDecider.ids(none)).isEmpty();
        assertThat(none.path("page").path("next_token").asText()).isNotEmpty();
    }

    @Test
    void metadataUsesThePublicUrl() throws IOException {
        HttpResponse<String> response = decider.client().get(decider.server().at("/.well-known/authzen-configuration"));
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonNode metadata = AuthZenDecider.JSON.readTree(response.body());
        assertThat(metadata.path("policy_decision_point").asText()).isEqualTo("https://pdp.example.com");
        assertThat(metadata.path("access_evaluation_endpoint").asText())
                .isEqualTo("https://pdp.example.com/access/v1/evaluation");
        assertThat(metadata.path("search_action_endpoint").asText())
                .isEqualTo("https://pdp.example.com/access/v1/search/action");
        metadata.forEach(url -> assertThat(url.asText()).startsWith("https://pdp.example.com"));
    }

    @Test
    void decisionsHaveReasonAndRevision() throws IOException {
        JsonNode answer = decider.ok(AuthZenDecider.EVALUATION, "{" + BOB + "," + READ + "," + RECORD + "}");
        JsonNode context = answer.path("context");
        assertThat(context.path("reason").asText()).contains("archivist");
        assertThat(context.path("decision_id").asText()).hasSize(32);
        assertThat(context.path("policy_revision").asText()).isNotEmpty();
        String missing = "{" + ALICE + ",\"action\":{\"name\":\"write\"}," + ARCHIVED + "}";
        assertThat(decider.ok(AuthZenDecider.EVALUATION, missing)
                        .path("context")
                        .path("reason")
                        .asText())
                .isEqualTo("no RBAC policy matched");
    }
}
