package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages of other origins, in a browser with an administrator's certificate, against both servers. The server is on {@code localhost}: a
 * page on {@code 127.0.0.1} is cross-site, one on another port of {@code localhost} is same-site.
 */
class CrossOriginTest {
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    private static final String BINDING = """
            (name) => JSON.stringify({
              apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: "page-" + name.replace("no-cors", "nocors") },
              subjects: [{ kind: "User", name: "mallory" }],
              roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
              note: "" })
            """;

    private static final String REVIEW = """
            (name) => JSON.stringify({
              apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview",
              spec: { user: name, nonResourceAttributes: { verb: "get", path: "/" } }, note: "" })
            """;

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static RunningServer server;
    private static RunningServer decider;
    private static WebPages other;
    private static WebPages allowed;
    private static Browser browser;
    private static HttpsClient admin;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, pages of other origins are not tried");
        pki = TestPki.create().client("admin", "system:masters");
        other = new WebPages(pki);
        allowed = new WebPages(pki);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0", "--authorization-mode=RBAC", "--allowed-origins=" + allowed.origin("localhost")));
        decider = RunningServer.start(
                Program.DECIDER, with(flags, "--allowed-client-names=admin", "--authorization-rbac-path=" + directory));
        server = RunningServer.start(
                Program.APISERVER_LITE,
                with(
                        flags,
                        "--data-dir=" + directory.resolve("data"),
                        "--runtime-config=rbac.authorization.plat.io/v1alpha1=true"));
        admin = HttpsClient.of(pki, "admin");
        browser = Browser.startWithCertificate(Path.of(pki.file("admin.crt")), Path.of(pki.file("admin.key")));
    }

    private static List<String> with(List<String> flags, String... more) {
        return Stream.concat(flags.stream(), Stream.of(more)).toList();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
            admin.close();
            server.close();
            decider.close();
            other.close();
            allowed.close();
            pki.close();
        }
    }

    private static String localhost(RunningServer of, String path) {
        return "https://localhost:" + of.port() + path;
    }

    private static Map<String, String> run(URI page, String expression) throws IOException {
        browser.open(page);
        browser.until("location.href === '" + page + "' && document.body");
        try (var script = Objects.requireNonNull(CrossOriginTest.class.getResourceAsStream("cross-origin.js"))) {
            String functions = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            JsonNode learned = browser.value("(async () => {" + functions + "\nreturn " + expression + "})()");
            Map<String, String> results = new TreeMap<>();
            learned.properties()
                    .forEach(way -> results.put(way.getKey(), way.getValue().asText()));
            return results;
        }
    }

    private static double answered(RunningServer of, String method, String code) throws IOException {
        return Metrics.of(admin, of.at("/metrics"))
                .sum(series -> series.startsWith("http_request_duration_seconds_count{")
                        && series.contains("method=\"" + method + "\"")
                        && series.contains("code=\"" + code + "\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void crossOriginWritesAreRefused(String host) throws IOException {
        for (RunningServer target : List.of(server, decider)) {
            String path = target == server ? BINDINGS : REVIEWS;
            double before = answered(target, "POST", "403");
            Map<String, String> learned = run(
                    other.page(host),
                    "writes('" + localhost(target, path) + "', " + (target == server ? BINDING : REVIEW) + ")");
            assertThat(learned).as("ways").hasSizeGreaterThan(25);
            assertThat(answered(target, "POST", "201")).as("%s", learned).isZero();
            // Requests that a browser sends without a preflight: 5 bodies in 2 modes, 4 beacons, 3 forms and the
            // sandbox.
            assertThat(answered(target, "POST", "403") - before)
                    .as("%s", learned)
                    .isEqualTo(18);
        }
        assertThat(admin.get(server.at(BINDINGS)).body()).doesNotContain("mallory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void crossOriginStreamsAreRefused(String host) throws IOException {
        for (RunningServer target : List.of(server, decider)) {
            List<String> paths = target == server
                    ? List.of("/api/v1/secrets?watch=true", "/api/v1/watch/secrets", "/decisions")
                    : List.of("/revisions", "/decisions");
            List<String> urls = paths.stream()
                    .map(path -> "'" + localhost(target, path) + "'")
                    .toList();
            double before = answered(target, "GET", "403");
            Map<String, String> learned = run(other.page(host), "streams([" + String.join(",", urls) + "])");
            assertThat(learned).hasSize(5 * paths.size());
            assertThat(learned.entrySet())
                    .allSatisfy(
                            way -> assertThat(way.getValue()).as(way.getKey()).isIn("error", "blocked TypeError"));
            assertThat(answered(target, "GET", "403") - before)
                    .as("%s", learned)
                    // The server does not support upgrades over HTTP/2: the browser opens an HTTP/1.1 connection for
                    // the socket.
                    .isEqualTo(5 * paths.size());
        }
    }

    @Test
    void framingByOtherOriginsIsRefused() throws IOException {
        for (RunningServer target : List.of(server, decider)) {
            String pages = Stream.of("/ui", "/version", "/metrics", "/nowhere")
                    .map(path -> "'" + localhost(target, path) + "'")
                    .reduce((a, b) -> a + "," + b)
                    .orElseThrow();
            Map<String, String> learned = run(other.page("127.0.0.1"), "inclusions([" + pages + "])");
            assertThat(learned.entrySet()).hasSize(28).allSatisfy(way -> {
                // The frame contains the browser's error page.
                List<String> expected =
                        way.getKey().startsWith("frame") ? List.of("loaded") : List.of("error", "blocked TypeError");
                assertThat(way.getValue()).as(way.getKey()).isIn(expected);
            });
        }
        assertThat(browser.errors().stream()
                        .filter(text -> text.contains("X-Frame-Options") || text.contains("frame-ancestors"))
                        .count())
                .isGreaterThanOrEqualTo(16);
    }

    @Test
    void sameAndAllowedOriginsWork() throws IOException {
        for (URI page : List.of(URI.create(localhost(server, "/ui")), allowed.page("localhost"))) {
            String name = page.getPort() == server.port() ? "own" : "allowed";
            String options = "{method: 'POST', headers: {'Content-Type': 'application/json'}, body: (" + BINDING + ")('"
                    + name + "').replace('mallory', 'trusted').replace(',\"note\":\"\"', '')}";
            Map<String, String> learned = run(
                    page,
                    "{write: await send('" + localhost(server, BINDINGS) + "', " + options + "), "
                            + "socket: await webSocket('" + localhost(server, "/api/v1/secrets?watch=true") + "'), "
                            + "events: await eventSource('" + localhost(server, "/decisions") + "'), "
                            + "read: await send('" + localhost(server, "/api/v1/secrets") + "', {})}");
            assertThat(learned)
                    .as("%s", page)
                    .isEqualTo(Map.of("write", "201", "socket", "open", "events", "open", "read", "200"));
        }
        assertThat(run(URI.create(localhost(decider, "/ui")), "{events: await eventSource('/revisions')}"))
                .containsEntry("events", "open");
    }
}
