package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that delegates every decision: what it answers while the decider decides, is gone, and is back. */
class WebhookModeTest {
    /** The deadline of one remote decision (3 s by default), and what the rest of a request may take on a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(3).plusSeconds(2);

    private static DelegatingSystem system;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start(
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--authorization-always-allow-paths=/livez,/readyz");
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    @Test
    void theDecidersAnswerIsTheServersAnswer() throws IOException {
        try (HttpsClient alice = system.client("alice");
                HttpsClient mallory = system.client("mallory")) {
            assertThat(pods(alice, "team-a").statusCode()).isEqualTo(200);
            HttpResponse<String> denied = pods(mallory, "team-a");
            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.body())
                    .contains(
                            "\"kind\":\"Status\"",
                            "\"reason\":\"Forbidden\"",
                            "User \\\"mallory\\\" cannot list resource \\\"pods\\\" in API group \\\"\\\" in the namespace \\\"team-a\\\"");
            assertThat(pods(alice, "team-b").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void withoutTheDeciderNothingPassesButMastersAndItHealsByItself() throws IOException {
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

    /** Who probes has no certificate; another server, or this one anew, would do no better. */
    @Test
    void withoutTheDeciderItIsAliveAndReady() throws IOException {
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
    void aReviewIsARequestOfItsOwnAndTellsTheDecidersAnswer() throws IOException {
        String review = """
                {"apiVersion":"authorization.plat.io/v1beta1","kind":"SubjectAccessReview","spec":{"user":"alice",
                 "group":["team-a-developers"],"resourceAttributes":{"verb":"get","resource":"pods","namespace":"%s"}}}""";
        String path = "/apis/authorization.plat.io/v1beta1/subjectaccessreviews";
        try (HttpsClient carol = system.client("carol");
                HttpsClient mallory = system.client("mallory")) {
            HttpResponse<String> yes = carol.post(system.at(path), review.formatted("team-a"));
            assertThat(yes.statusCode()).as(yes.body()).isEqualTo(201);
            assertThat(yes.body()).contains("\"allowed\":true", "\"creationTimestamp\":null");
            HttpResponse<String> no = carol.post(system.at(path), review.formatted("team-b"));
            assertThat(no.statusCode()).isEqualTo(201);
            assertThat(no.body()).contains("\"allowed\":false", "\"reason\":");
            assertThat(mallory.post(system.at(path), review.formatted("team-a")).statusCode())
                    .isEqualTo(403);
        }
    }

    private static HttpResponse<String> pods(HttpsClient client, String namespace) throws IOException {
        return client.get(system.at("/api/v1/namespaces/" + namespace + "/pods"));
    }
}
