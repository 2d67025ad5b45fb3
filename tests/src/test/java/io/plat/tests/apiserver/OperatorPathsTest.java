package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.ChosenStorage;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths of both servers for operators: health and metrics. */
class OperatorPathsTest {
    private static final String PARSE = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from prometheus_client.parser import text_string_to_metric_families
        seen = set()
        for family in text_string_to_metric_families(open(sys.argv[2], encoding='utf-8').read()):
            for sample in family.samples:
                key = (sample.name, tuple(sorted(sample.labels.items())))
                assert key not in seen, 'twice: %s' % (key,)
                seen.add(key)
                print(family.type, sample.name, ' '.join('%s=%s' % kv for kv in sorted(sample.labels.items())), sample.value)
        """;

    private static DelegatingSystem system;
    private static HttpsClient admin;
    private static HttpsClient client;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        admin = system.client("admin");
        client = system.client("apiserver-lite");
    }

    @AfterAll
    static void stop() {
        client.close();
        admin.close();
        system.close();
    }

    private static HttpResponse<String> get(String server, String path) throws IOException {
        return server.equals("decider") ? client.get(system.decider().at(path)) : admin.get(system.at(path));
    }

    /** Output of kube-apiserver; N ends a line, and STORAGE is the check of the selected backend. */
    @ParameterizedTest
    @CsvSource({
        "decider, /livez, 200, ok",
        "decider, /readyz, 200, ok",
        "decider, /healthz, 200, ok",
        "decider, /livez?verbose, 200, [+]ping okNlivez check passedN",
        "decider, /readyz?verbose, 200, [+]ping okN[+]policy okN[+]shutdown okNreadyz check passedN",
        "decider, /readyz?verbose=1&exclude=policy, 200, [+]ping okN[+]policy excluded: okN[+]shutdown okNreadyz check"
                + " passedN",
        "decider, /readyz?exclude=policy&exclude=ping, 200, ok",
        "decider, /readyz/policy, 200, ok",
        "decider, /livez/ping, 200, ok",
        "decider, /readyz/nosuch, 404, 404 page not foundN",
        "server, /livez, 200, ok",
        "server, /readyz, 200, ok",
        "server, /healthz, 200, ok",
        "server, /livez?verbose, 200, [+]ping okNlivez check passedN",
        "server, /readyz?verbose, 200, [+]ping okN[+]STORAGE okN[+]roles okN[+]shutdown okNreadyz check passedN",
        "server, /readyz?verbose&exclude=STORAGE, 200, [+]ping okN[+]STORAGE excluded: okN[+]roles okN[+]shutdown"
                + " okNreadyz check passedN",
        "server, /readyz/STORAGE, 200, ok",
        "server, /readyz/etcd, 200, ok",
        "server, /readyz/etcd-readiness, 200, ok",
        "server, /livez/etcd, 200, ok",
        "server, /livez?verbose&exclude=etcd, 200, [+]ping okNlivez check passedN",
        "server, /readyz?verbose&exclude=etcd, 200, [+]ping okN[+]STORAGE excluded: okN[+]roles okN[+]shutdown"
                + " okNreadyz check passedN",
        "server, /readyz?verbose&exclude=etcd&exclude=etcd-readiness, 200, [+]ping okN[+]STORAGE excluded: okN[+]roles"
                + " okN[+]shutdown okNreadyz check passedN",
        "server, /livez/ping, 200, ok",
    })
    void healthOutputMatchesKubeApiserver(String server, String path, int code, String text) throws IOException {
        HttpResponse<String> answer = get(server, path.replace("STORAGE", ChosenStorage.check()));
        assertThat(answer.statusCode()).isEqualTo(code);
        if (code == 200) {
            assertThat(answer.body())
                    .isEqualTo(text.replace("STORAGE", ChosenStorage.check()).replace('N', '\n'));
            assertThat(answer.headers().firstValue("Content-Type").orElse("").replace(" ", ""))
                    .isEqualTo("text/plain;charset=utf-8");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        }
    }

    @Test
    void unknownExcludedCheckIsReported() throws IOException {
        for (String server : List.of("decider", "server")) {
            assertThat(get(server, "/readyz?verbose&exclude=b&exclude=a").body())
                    .contains("warn: some health checks cannot be excluded: no matches for \"a\",\"b\"\n")
                    .endsWith("readyz check passed\n");
        }
    }

    @Test
    void metricsAreReadByAnIndependentParser() throws IOException {
        Path library = library();
        try (HttpsClient alice = system.client("alice");
                HttpsClient mallory = system.client("mallory")) {
            for (int i = 0; i < 3; i++) {
                alice.get(system.at("/api/v1/namespaces/team-a/pods"));
                mallory.get(system.at("/api/v1/namespaces/team-a/pods"));
            }
        }
        RunningServer decider = system.decider();
        String revision = client.get(decider.at("/version"))
                .headers()
                .firstValue("Policy-Revision")
                .orElseThrow();
        assertThat(parsed(library, "decider"))
                .contains(
                        "counter apiserver_authorization_decisions_total decision=allowed name=rbac type=RBAC 1.0",
                        "counter apiserver_authorization_decisions_total decision=denied name=rbac type=RBAC 1.0",
                        "gauge policy_info revision=" + revision + " 1",
                        "gauge policy_revision_subscribers  1.0")
                .anyMatch(line -> line.matches("gauge policy_objects kind=binding [1-9]\\d*\\.0"))
                .anyMatch(line -> line.startsWith("gauge policy_age_seconds  "))
                .anyMatch(
                        line -> line.matches("gauge tls_certificate_expiration_timestamp_seconds what=client-ca \\d.*"))
                .anyMatch(line -> line.startsWith(
                        "histogram http_request_duration_seconds_bucket code=200 le=5.0E-5 method=POST "))
                .anyMatch(line -> line.startsWith("gauge jvm_memory_used_bytes "));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(parsed(library, "server"))
                        .contains("gauge authorization_webhook_revision_stream_connected  1.0"));
        assertThat(parsed(library, "server"))
                .contains(
                        "counter apiserver_authorization_decisions_total decision=allowed name=default type=Webhook"
                                + " 3.0",
                        "counter apiserver_authorization_decisions_total decision=denied name=default type=Webhook 3.0",
                        "counter apiserver_authorization_webhook_evaluations_total name=default result=success 2.0",
                        "histogram apiserver_authorization_webhook_duration_seconds_count name=default result=success"
                                + " 2",
                        "counter authorization_webhook_cache_requests_total status=hit 4.0",
                        "counter authorization_webhook_cache_requests_total status=miss 2.0",
                        "gauge authorization_webhook_cache_entries  2.0",
                        "counter apiserver_request_total code=200 component=apiserver dry_run= group= resource=pods"
                                + " scope=namespace subresource= verb=LIST version=v1 3.0",
                        "counter apiserver_request_total code=403 component=apiserver dry_run= group= resource=pods"
                                + " scope=namespace subresource= verb=LIST version=v1 3.0",
                        "histogram apiserver_request_duration_seconds_count component=apiserver dry_run= group="
                                + " resource=pods scope=namespace subresource= verb=LIST version=v1 6",
                        "gauge apiserver_current_inflight_requests request_kind=readOnly 1.0",
                        "gauge apiserver_storage_objects resource=pods 0.0",
                        "unknown authenticated_user_requests username=other 6.0")
                .anyMatch(line -> line.startsWith(
                        "gauge apiserver_storage_size_bytes storage_cluster_id=" + ChosenStorage.backend() + " "))
                .anyMatch(line -> line.startsWith("counter process_cpu_seconds_total  "))
                .anyMatch(line -> line.matches("gauge policy_info revision=\\S+ 1"))
                .anyMatch(line -> line.matches(
                        "gauge tls_certificate_expiration_timestamp_seconds what=serving-certificate \\d.*"))
                .anyMatch(line -> line.matches(
                        "gauge tls_certificate_expiration_timestamp_seconds what=client-certificate \\d.*"));
    }

    private static List<String> parsed(Path library, String server) throws IOException {
        Path file = Files.createTempFile("metrics", ".txt");
        try {
            Files.writeString(file, get(server, "/metrics").body());
            CompletedProcess run = Command.of("python3", "-c", PARSE, library.toString(), file.toString())
                    .run();
            assertThat(run.exitStatus()).as(run.err()).isZero();
            return run.out().lines().toList();
        } finally {
            Files.delete(file);
        }
    }

    /** The reference parser, fetched once. */
    private static Path library() {
        assumeTrue(Command.installed("python3"), "python3 is not installed");
        Path directory = Checkout.path("tests/target/python");
        if (!Files.isDirectory(directory.resolve("prometheus_client"))) {
            CompletedProcess fetched = Command.of(
                            "python3",
                            "-m",
                            "pip",
                            "install",
                            "-q",
                            "--target",
                            directory.toString(),
                            "prometheus-client==0.22.1")
                    .run();
            assumeTrue(fetched.exitStatus() == 0, "prometheus-client cannot be fetched");
        }
        return directory;
    }
}
