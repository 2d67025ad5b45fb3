package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The access page of an API server in a browser: 500 subjects by 200 resources, authenticated with a token. {@code -Dplat.pictures=DIRECTORY}
 * stores screenshots.
 */
@TestMethodOrder(OrderAnnotation.class)
class AccessPageTest {
    private static final int SUBJECTS = 500;

    /** A server with more types than the built-in ones. */
    private static final String MORE_TYPES = """
            const plain = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await plain(path, options);
              if (path !== "/apis") return answer;
              const document = await answer.json();
              const resources = Array.from({ length: 140 }, (none, i) => ({ resource: `things${i}`, scope: "Namespaced" }));
              document.items.push({ metadata: { name: "example.com" }, versions: [{ version: "v1", resources }] });
              return new Response(JSON.stringify(document), { status: 200 });
            };
            """;

    /** Scrolls for 1.5 s, one step per frame, and returns the frame times in milliseconds. */
    private static final String SCROLL = """
            new Promise((resolve) => {
              const grid = document.getElementById("matrix");
              const times = [];
              let last = performance.now();
              const step = (now) => {
                times.push(now - last);
                last = now;
                grid.scrollBy(97, 61);
                if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight) grid.scrollTo(grid.scrollLeft, 0);
                if (times.length < 90) requestAnimationFrame(step); else resolve(times.slice(2));
              };
              requestAnimationFrame(step);
            })
            """;

    private static final String NEW_ROLE = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: secret-reader}
            rules: [{apiGroups: [""], resources: [secrets], verbs: [get, list]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: secret-readers}
            subjects: [{kind: User, name: newcomer, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: secret-reader, apiGroup: rbac.authorization.k8s.io}
            """;

    @TempDir
    static Path directory = Path.of("");

    private static TestPki pki;
    private static RunningServer server;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Browser.installed(), "no /usr/bin/chromium, the access page is not looked at");
        pki = TestPki.create();
        Files.writeString(
                directory.resolve("tokens.csv"), "admin-token,admin,1,system:masters\nuser-token,user-007,2\n");
        Files.writeString(directory.resolve("policy.jsonl"), policy());
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--data-dir=" + directory.resolve("data"),
                "--authorization-mode=ABAC,RBAC",
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                "--authorization-policy-file=" + directory.resolve("policy.jsonl"),
                "--authorization-always-allow-paths=/ui,/ui/*",
                "--token-auth-file=" + directory.resolve("tokens.csv")));
        server = RunningServer.start(Program.APISERVER_LITE, flags);
        browser = Browser.start();
        browser.size(1440, 860);
        browser.prefers("light");
        browser.before(MORE_TYPES);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            try {
                browser.close();
            } finally {
                server.close();
                pki.close();
            }
        }
    }

    /** Every subject has access to some types only. */
    private static String policy() {
        StringBuilder lines = new StringBuilder();
        List<String> types = List.of(
                "configmaps",
                "events",
                "pods",
                "secrets",
                "services",
                "endpoints",
                "serviceaccounts",
                "deployments",
                "jobs");
        for (int i = 0; i < SUBJECTS; i++) {
            String who = i % 4 == 3 ? "\"group\":\"team-%03d\"".formatted(i) : "\"user\":\"user-%03d\"".formatted(i);
            for (int j = 0; j < 6; j++) {
                String type = j == 5 ? "things" + i % 140 : types.get((i / 3 + j * j + i) % types.size());
                lines.append(
                                "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{")
                        .append(who)
                        .append(",\"apiGroup\":\"*\",\"namespace\":\"*\",\"resource\":\"")
                        .append(i % 97 == 96 ? "*" : type)
                        .append("\",\"readonly\":")
                        .append((i + j) % 3 != 0)
                        .append("}}\n");
            }
        }
        return lines.toString();
    }

    private static String text(String selector) {
        return browser.value("document.querySelector('" + selector + "')?.textContent ?? ''")
                .asText();
    }

    private static void picture(String name) throws IOException {
        String desired = System.getProperty("plat.pictures", "");
        if (!desired.isEmpty()) {
            Files.write(Files.createDirectories(Path.of(desired)).resolve(name + ".png"), browser.picture());
        }
    }

    private static void signIn(String token) {
        browser.until("document.querySelector('input[name=token]') === document.activeElement");
        browser.type(token);
        browser.press("Enter");
    }

    @Test
    @Order(1)
    void anonymousViewerIsPromptedForAToken() throws IOException {
        browser.open(server.at("/ui"));
        signIn("wrong");
        browser.until("document.querySelector('.failure')");
        assertThat(text(".failure strong")).isEqualTo("Sign in first");
        assertThat(text("#tabs")).isEmpty();
        picture("sign-in");
    }

    @Test
    @Order(2)
    void matrixIsAnAccessibleGrid() throws IOException {
        signIn("admin-token");
        browser.until("document.querySelector('#matrix .cell')");
        assertThat(text("#who")).contains("admin");
        assertThat(browser.value("document.querySelector('#matrix').getAttribute('aria-rowcount')")
                        .asInt())
                .isGreaterThan(SUBJECTS);
        assertThat(browser.value("document.querySelectorAll('#matrix [role=gridcell]').length")
                        .asInt())
                .as("only what is seen is in the document")
                .isBetween(100, 1500);
        assertThat(browser.value("document.querySelector('#matrix').getAttribute('role')")
                        .asText())
                .isEqualTo("grid");
        picture("matrix-light");
        browser.prefers("dark");
        picture("matrix-dark");
        browser.prefers("light");
    }

    @Test
    @Order(3)
    void scrollingPerformance() {
        assertThat(browser.value("document.querySelector('#matrix').getAttribute('aria-colcount')")
                        .asInt())
                .isGreaterThan(140);
        JsonNode times = browser.value(SCROLL);
        List<Double> sorted = new ArrayList<>();
        times.forEach(time -> sorted.add(time.asDouble()));
        sorted.sort(null);
        System.out.printf(
                "access page: scrolling %s rows by %s columns, ms a frame: median %.1f, p95 %.1f, longest %.1f%n",
                browser.value("document.querySelector('#matrix').getAttribute('aria-rowcount')")
                        .asText(),
                browser.value("document.querySelector('#matrix').getAttribute('aria-colcount')")
                        .asText(),
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 95 / 100),
                sorted.getLast());
        browser.value("document.getElementById('matrix').scrollTo(0, 0)");
    }

    @Test
    @Order(4)
    void keyboardNavigatesAndEnterExplains() throws IOException {
        browser.value("document.getElementById('matrix').focus()");
        String first = active();
        browser.press("ArrowDown");
        browser.press("ArrowRight");
        assertThat(active()).isNotEqualTo(first).contains("Enter shows why");
        browser.press("Enter");
        browser.until("document.querySelector('#drawer .verdict')");
        assertThat(browser.value("document.activeElement.id").asText()).isEqualTo("drawer-title");
        assertThat(text("#drawer .verdict")).startsWith("May ");
        picture("why-light");
        browser.prefers("dark");
        picture("why-dark");
        browser.prefers("light");
        browser.press("Escape");
        assertThat(browser.value("document.activeElement.id").asText()).isEqualTo("matrix");
        assertThat(browser.value("document.getElementById('drawer').hidden").asBoolean())
                .isTrue();
    }

    private static String active() {
        return browser.value("document.getElementById(document.getElementById('matrix')"
                        + ".getAttribute('aria-activedescendant')).getAttribute('aria-label')")
                .asText();
    }

    @Test
    @Order(5)
    void singleCheckIsAnswered() throws IOException {
        browser.value("location.hash = 'can-i'");
        browser.until("document.querySelector('input[name=resource]')");
        browser.value("document.querySelector('input[name=resource]').focus()");
        browser.type("secrets");
        browser.value("document.querySelector('input[name=user]').focus()");
        browser.type("nobody");
        browser.press("Enter");
        browser.until("document.querySelector('.result .verdict')");
        assertThat(text(".result .verdict")).startsWith("No").contains("nobody may not get secrets in all namespaces");
        browser.value("document.querySelector('.result .verdict button').click()");
        browser.until("document.querySelector('#drawer pre')");
        assertThat(text("#drawer pre")).contains("secrets");
        picture("can-i-light");
        browser.press("Escape");
    }

    @Test
    @Order(6)
    void editedPolicyIsCompared() throws IOException {
        browser.value("location.hash = 'what-if'");
        browser.until("document.querySelector('.editor')");
        browser.value("document.querySelector('[data-form=lines]').click()");
        browser.value("document.querySelector('input[name=load]').focus()");
        browser.type("user-001");
        browser.press("Enter");
        browser.until("document.querySelector('.editor').value.includes('user-001')");
        browser.value("document.querySelector('input[name=load]').value = ''");
        browser.value("document.querySelector('.editor').value = 'nonsense'");
        browser.value("document.querySelector('.edit .buttons button').click()");
        browser.until("document.querySelector('.result .failure')");
        assertThat(text(".result .failure"))
                .startsWith("The request is invalid")
                .contains("lines:1");
        browser.value("document.querySelector('[data-form=manifests]').click()");
        browser.value("document.querySelector('.editor').value = `" + NEW_ROLE + "`");
        browser.value("document.querySelector('.edit .buttons button').click()");
        browser.until("document.querySelector('.direction.yes')");
        assertThat(text(".direction.yes")).contains("newcomer", "get, list secrets everywhere");
        assertThat(browser.value("document.querySelector('.direction.no')").isNull())
                .as("nothing is revoked")
                .isTrue();
        picture("what-if-light");
        browser.prefers("dark");
        picture("what-if-dark");
        browser.prefers("light");
    }

    @Test
    @Order(7)
    void liveDecisionsAreShown() throws IOException {
        browser.value("location.hash = 'live'");
        browser.until("document.querySelector('.live .status').textContent.includes('since this view was opened')");
        try (HttpsClient user = HttpsClient.of(pki, null).withHeader("Authorization", "Bearer user-token")) {
            user.get(server.at("/api/v1/namespaces/shown-live/secrets/hidden"));
        }
        browser.until("document.querySelector('.live tbody').textContent.includes('shown-live')");
        assertThat(text(".live tbody")).contains("refused", "user-007", "secrets hidden");
        picture("live-light");
    }

    @Test
    @Order(8)
    void deniedViewerIsInformed() {
        browser.open(server.at("/ui?again"));
        signIn("user-token");
        browser.until("document.querySelector('.matrix .failure')");
        assertThat(text(".matrix .failure"))
                .startsWith("You are not allowed to see this")
                .contains("User \"user-007\" cannot create resource \"accessmatrices\"");
        assertThat(browser.value("document.querySelectorAll('.cell:not(.sample)').length")
                        .asInt())
                .isZero();
    }

    @Test
    @Order(9)
    void pageLoadsNothingElsewhereWithoutErrors() {
        assertThat(browser.requests())
                .isNotEmpty()
                .allSatisfy(url -> assertThat(url).startsWith(server.at("/").toString()));
        assertThat(browser.errors()).isEmpty();
    }
}
