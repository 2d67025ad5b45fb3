package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Units, images, manifests, alerts and the dashboard refer to existing flags, files and metrics, and are valid for their tools. */
class DeploymentTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FLAG = Pattern.compile("--[a-z][a-z-]*(?==)");
    /** An identifier that is not a function, label or keyword of PromQL: our metrics contain an underscore. */
    private static final Pattern METRIC = Pattern.compile("\\b[a-z]+_[a-z0-9_]+\\b(?!\\s*(?:[(]|!=|=~|=\"))");

    private static final Set<String> NO_METRICS = Set.of("label_replace", "histogram_quantile", "__rate_interval");

    private static DelegatingSystem system;
    /** A root directory with the files of the units and manifests instead of the system's. */
    private static RunningServer decider;

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        List<String> flags = new ArrayList<>(system.pki().serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysDeny", "--decision-log-path=-"));
        decider = RunningServer.startReused(Program.DECIDER, flags);
    }

    @AfterAll
    static void stop() {
        decider.close();
        system.close();
    }

    private static String text(String file) {
        try {
            return Files.readString(Checkout.path("conf/" + file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Object yaml(String text) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    }

    private static Set<String> flags(String text) {
        return FLAG.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void assertKnown(Set<String> flags, Program program) {
        String help = Command.reused(program, "--help").run().out();
        assertThat(flags)
                .hasSizeGreaterThan(1)
                .allSatisfy(flag -> assertThat(help).contains(flag));
    }

    @ParameterizedTest
    @CsvSource({"decider, DECIDER", "apiserver-lite, APISERVER_LITE"})
    void unitsAreValidAndSandboxed(String name, Program program, @TempDir Path directory) throws IOException {
        String unit = text("systemd/" + name + ".service");
        assertKnown(flags(unit), program);
        assumeThat(Command.installed("systemd-analyze"))
                .as("systemd-analyze is not installed")
                .isTrue();
        Path here = directory.resolve(name + ".service");
        Files.writeString(here, unit.replace("/opt/plat/", Checkout.root() + "/"));
        CompletedProcess verified = Command.of("systemd-analyze", "verify", "--man=no", here.toString())
                .run();
        assertThat(verified.err()).doesNotContain(name);
        assertThat(verified.exitStatus()).isZero();
        // In tenths; 0 is fully sandboxed.
        CompletedProcess result = Command.of(
                        "systemd-analyze", "security", "--offline=true", "--threshold=20", here.toString())
                .run();
        assertThat(result.exitStatus()).as(result.out()).isZero();
    }

    @Test
    void imagesRunAsAnUnprivilegedUser() {
        String file = text("container/Containerfile");
        for (Program program : List.of(Program.DECIDER, Program.APISERVER_LITE)) {
            Path launcher = Checkout.root().relativize(program.launcher());
            assertThat(file).contains("ENTRYPOINT [\"/opt/plat/" + launcher);
        }
        String entries =
                file.lines().filter(line -> line.startsWith("ENTRYPOINT")).collect(Collectors.joining());
        assertKnown(flags(entries), Program.DECIDER);
        assertKnown(flags(entries), Program.APISERVER_LITE);
        assertThat(file.lines().filter(line -> line.startsWith("USER"))).containsExactly("USER 65532:65532");
        assumeThat(Command.installed("hadolint"))
                .as("hadolint is not installed")
                .isTrue();
        CompletedProcess linted = Command.of(
                        "hadolint",
                        Checkout.path("conf/container/Containerfile").toString())
                .run();
        assertThat(linted.out()).isEmpty();
        assertThat(linted.exitStatus()).isZero();
    }

    @Test
    void manifestsUseExistingFlags() {
        assertKnown(flags(text("kustomize/base/decider.yaml")), Program.DECIDER);
        Set<String> server = flags(text("kustomize/base/apiserver-lite.yaml"));
        server.addAll(flags(text("kustomize/etcd/kustomization.yaml")));
        server.remove("--from-file");
        assertKnown(server, Program.APISERVER_LITE);
    }

    @Test
    void decidersAcceptOnlyNamedClients() {
        for (String file : List.of("kustomize/base/decider.yaml", "systemd/decider.service")) {
            assertThat(text(file)).contains("--allowed-client-names=apiserver-lite");
        }
        assertThat(text("kustomize/base/decider.yaml"))
                .contains("kind: NetworkPolicy", "policyTypes: [Ingress, Egress]");
        assertThat(text("container/Containerfile")).contains("decider\", \"--bind-address=0.0.0.0\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "etcd"})
    void manifestsAreAcceptedByAServer(String variant) throws IOException {
        assumeThat(Command.installed("kubectl")).as("kubectl is not installed").isTrue();
        Command kubectl = Command.of("kubectl", "--kubeconfig=" + system.clientFile("admin"));
        CompletedProcess namespace = kubectl.with("create", "namespace", "plat").run();
        assertThat(namespace.exitStatus() == 0 || namespace.err().contains("AlreadyExists"))
                .as(namespace.err())
                .isTrue();
        String manifests = Command.of(
                        "kubectl",
                        "kustomize",
                        Checkout.path("conf/kustomize/" + variant).toString())
                .run()
                .out();
        CompletedProcess applied = kubectl.with("apply", "--dry-run=server", "--validate=strict", "-f", "-")
                .withInput(manifests)
                .run();
        assertThat(applied.err()).isEmpty();
        assertThat(applied.out().lines())
                .hasSizeGreaterThanOrEqualTo(7)
                .allMatch(line -> line.endsWith(" created (server dry run)"));
        assertThat(applied.out()).contains("deployment.apps/decider", "statefulset.apps/apiserver-lite");
    }

    @Test
    void alertsAndDashboardUseExistingMetrics() throws IOException {
        sendRequests();
        Set<String> known = new TreeSet<>(metrics(decider));
        known.addAll(metrics(system.server()));
        List<String> expressions = new ArrayList<>(expressions(JSON.valueToTree(yaml(text("monitoring/alerts.yaml")))));
        assertThat(expressions).hasSizeGreaterThan(10);
        List<String> shownMetrics = expressions(JSON.readTree(text("monitoring/dashboard.json")));
        assertThat(shownMetrics).hasSizeGreaterThan(20);
        expressions.addAll(shownMetrics);
        for (String expression : expressions) {
            Set<String> named = new TreeSet<>();
            METRIC.matcher(expression.replaceAll("\"[^\"]*\"", "\"\"").replaceAll("(by|without) \\([^)]*\\)", ""))
                    .results()
                    .forEach(values -> named.add(values.group()));
            named.removeAll(NO_METRICS);
            assertThat(!named.isEmpty() || expression.contains("up{"))
                    .as(expression)
                    .isTrue();
            assertThat(known).as(expression).containsAll(named);
        }
    }

    /** Requests to both servers, so that their metrics exist. */
    private static void sendRequests() throws IOException {
        try (HttpsClient alice = system.client("alice")) {
            alice.get(system.at("/api/v1/namespaces/team-a/pods"));
            alice.post(
                    decider.at("/authorize"),
                    "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"alice\","
                            + "\"nonResourceAttributes\":{\"path\":\"/\",\"verb\":\"get\"}}}");
        }
    }

    private static Set<String> metrics(RunningServer server) throws IOException {
        try (HttpsClient admin = system.client("admin")) {
            return admin.get(server.at("/metrics"))
                    .body()
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("[{ ]", 2)[0])
                    .collect(Collectors.toSet());
        }
    }

    private static List<String> expressions(JsonNode document) {
        List<String> values = document.findValuesAsText("expr");
        assertThat(values).allSatisfy(expression -> assertThat(expression).isNotBlank());
        return values;
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests() {
        assumeThat(Command.installed("promtool"))
                .as("promtool is not installed")
                .isTrue();
        String directory = Checkout.path("conf/monitoring").toString();
        for (List<String> words : List.of(
                List.of("check", "rules", directory + "/alerts.yaml"),
                List.of("test", "rules", directory + "/alerts-test.yaml"),
                List.of("check", "config", "--syntax-only", directory + "/prometheus.yaml"))) {
            CompletedProcess checked =
                    Command.of("promtool").with(words.toArray(String[]::new)).run();
            assertThat(checked.exitStatus()).as(checked.out() + checked.err()).isZero();
        }
    }

    @Test
    void everyAlertLinksToTheRunbook() throws IOException {
        Set<String> headings = Files.readString(Checkout.path("RUNBOOK.md"))
                .lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .collect(Collectors.toSet());
        String[] alerts = text("monitoring/alerts.yaml").split("- alert: ");
        assertThat(alerts).hasSizeGreaterThan(10);
        for (int i = 1; i < alerts.length; i++) {
            String alert = alerts[i].lines().findFirst().orElseThrow();
            assertThat(headings).contains(alert);
            assertThat(alerts[i]).contains("          runbook: RUNBOOK.md#" + alert.toLowerCase(Locale.ROOT) + "\n");
        }
    }
}
