package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that delegates every decision, with its decider running, stopped and restarted. */
class WebhookModeTest {
    /** Timeout of a remote decision (3 s by default), and a margin for a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(3).plusSeconds(2);

    private static DelegatingSystem system;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.startProcesses(
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--authorization-always-allow-paths=/livez,/readyz");
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    @Test
    void decisionsAreThoseOfTheDecider() throws IOException {
        try (HttpsClient alice = system.client("alice");
                HttpsClient mallory = system.client("mallory")) {
            assertThat(pods(alice, "team-a").statusCode()).isEqualTo(200);
            HttpResponse<String> denied = pods(mallory, "team-a");
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.body())
                    .contains(
                            "\"kind\":\"Status\"",
                            "\"reason\":\"Forbidden\"",
                            "User \\\"mallory\\\" cannot list resource \\\"pods\\\" in API group \\\"\\\" in the"
                                    + " namespace \\\"team-a\\\"");
            assertThat(pods(alice, "team-b").statusCode()).isEqualTo(403);
        }
    }

    /** The decider has policy files: a role on the server grants nothing, although it is stored. */
    @Test
    void writesOfRoleObjectsHaveAWarning() throws IOException {
        try (HttpsClient admin = system.client("admin")) {
            HttpResponse<String> created = admin.send(
                    "POST",
                    system.server().at("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles?dryRun=All"),
                    "{\"metadata\":{\"name\":\"some\"},\"rules\":[]}");
            assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
            assertThat(created.headers().allValues("Warning"))
                    .containsExactly(
                            "299 - \"no authorization mode of this server reads RBAC objects: the object grants"
                                    + " access only through a decider that follows this server\"");
        }
    }

    @Test
    void deciderOutageDeniesAllButMastersAndRecovers() throws IOException {
        try (HttpsClient alice = system.client("alice");
                HttpsClient mallory = system.client("mallory");
                HttpsClient admin = system.client("admin")) {
            assertThat(pods(alice, "team-a").statusCode()).isEqualTo(200);
            system.decider().kill();
            try {
                for (HttpsClient client : new HttpsClient[] {alice, mallory}) {
                    long before = System.nanoTime();
                    HttpResponse<String> failed = pods(client, "team-a");
                    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(DEADLINE);
                    assertThat(failed.statusCode()).as(failed.body()).isEqualTo(500);
                    assertThat(failed.body())
                            .contains("\"kind\":\"Status\"", "\"reason\":\"InternalError\"", "\"code\":500");
                }
                assertThat(pods(admin, "team-a").statusCode()).isEqualTo(200);
            } finally {
                system.restartDecider();
            }
            assertThat(pods(alice, "team-a").statusCode()).isEqualTo(200);
            assertThat(pods(mallory, "team-a").statusCode()).isEqualTo(403);
        }
    }

    /** Probes have no certificate; another server or a restart would not help. */
    @Test
    void deciderOutageKeepsTheServerReady() throws IOException {
        try (HttpsClient prober = HttpsClient.of(system.pki(), null)) {
            system.decider().kill();
            try {
                for (String path : List.of("/livez", "/readyz")) {
                    assertThat(prober.get(system.at(path)).statusCode())
                            .as(path)
                            .isEqualTo(200);
                }
                assertThat(prober.get(system.at("/version")).statusCode()).isEqualTo(500);
            } finally {
                system.restartDecider();
            }
        }
    }

    @Test
    void reviewReturnsTheDecidersAnswer() throws IOException {
        String review = """
            {"apiVersion":"authorization.plat.io/v1beta1","kind":"SubjectAccessReview","spec":{"user":"alice",
             "group":["team-a-developers"],"resourceAttributes":{"verb":"get","resource":"pods","namespace":"%s"}}}\
            """;
        String path = "/apis/authorization.plat.io/v1beta1/subjectaccessreviews";
        try (HttpsClient carol = system.client("carol");
                HttpsClient mallory = system.client("mallory")) {
            HttpResponse<String> yes = carol.post(system.at(path), review.formatted("team-a"));
            assertThat(yes.statusCode()).as(yes.body()).isEqualTo(201);
            assertThat(yes.body()).contains("\"allowed\":true", "\"metadata\":{}");
            HttpResponse<String> no = carol.post(system.at(path), review.formatted("team-b"));
            assertThat(no.statusCode()).isEqualTo(201);
            assertThat(no.body()).contains("\"allowed\":false", "\"reason\":");
            assertThat(mallory.post(system.at(path), review.formatted("team-a")).statusCode())
                    .isEqualTo(403);
        }
    }

    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
    private static final int CHECKS_OF_A_REQUEST = 64;

    private static String admit(HttpsClient admin, String name, String validations) throws IOException {
        create(admin, ADMISSION + "ies", """
            {"metadata":{"name":"%s"},"spec":{"matchConstraints":{"resourceRules":[{"operations":["CREATE"],"apiGroups":[""],
             "apiVersions":["v1"],"resources":["configmaps"]}]},"validations":[%s]}}\
            """.formatted(name, validations));
        create(admin, ADMISSION + "ybindings", """
            {"metadata":{"name":"%1$s"},"spec":{"policyName":"%1$s","validationActions":["Deny"]}}\
            """.formatted(name));
        return ADMISSION + "ybindings/" + name;
    }

    private static void create(HttpsClient admin, String path, String json) throws IOException {
        HttpResponse<String> answer = admin.post(system.at(path), json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static double requests(HttpsClient admin) throws IOException {
        return Metrics.of(admin, system.at("/metrics"))
                .sum(series -> series.startsWith("apiserver_authorization_webhook_evaluations_total"));
    }

    @Test
    void policyAuthorizationChecksAreBounded() throws IOException {
        String maps = "/api/v1/namespaces/team-a/configmaps";
        try (HttpsClient admin = system.client("admin");
                HttpsClient alice = system.client("alice")) {
            create(admin, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"team-a\"}}");
            String pods = "authorizer.group('').resource('pods').namespace('%s').check('list').allowed()";
            String binding = admit(
                    admin,
                    "rights",
                    "{\"expression\":\"" + pods.formatted("team-a") + "\"},{\"expression\":\"!"
                            + pods.formatted("team-b") + "\"}");
            HttpResponse<String> written = alice.post(system.at(maps), "{\"metadata\":{\"name\":\"a\"}}");
            assertThat(written.statusCode()).as(written.body()).isEqualTo(201);
            List<String> bindings = new ArrayList<>(List.of(binding));
            for (int policy = 0; policy < 4; policy++) {
                List<String> validations = new ArrayList<>();
                for (int i = 0; i < 24; i++) {
                    validations.add("{\"expression\":\"!authorizer.path('/%d-%d').check('get').allowed()\"}"
                            .formatted(policy, i));
                }
                bindings.add(admit(admin, "many-" + policy, String.join(",", validations)));
            }
            double before = requests(admin);
            HttpResponse<String> many = alice.post(system.at(maps), "{\"metadata\":{\"name\":\"b\"}}");
            assertThat(many.statusCode()).as(many.body()).isEqualTo(422);
            assertThat(many.body()).contains("too many authorization checks in one request");
            assertThat(requests(admin) - before)
                    .as("one review for the request itself")
                    .isEqualTo(CHECKS_OF_A_REQUEST + 1);
            for (String each : bindings) {
                assertThat(admin.send("DELETE", system.at(each), null).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    private static HttpResponse<String> pods(HttpsClient client, String namespace) throws IOException {
        return client.get(system.at("/api/v1/namespaces/" + namespace + "/pods"));
    }
}
