package io.plat.tests.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import io.plat.tests.proxies.RecordingApplication.Head;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Path confusion through real proxies with the configurations in {@code conf}: {@code alice}, identified by her certificate, may read below
 * {@code /public/}. The application receives only paths and methods that the decision log shows as allowed.
 */
class ProxyPathsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern ESCAPE = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final Pattern REPEATED = Pattern.compile("\\{([^{}]+)\\*([0-9]+)}");

    private static TestPki pki;
    private static RecordingApplication application;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("proxy").client("alice", "ops").client("mallory");
        application = new RecordingApplication();
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        Directories.delete(pki.directory());
    }

    private static RunningServer decider(String identity, Path log) throws IOException {
        Path policy = Files.writeString(
                pki.directory().resolve("policy.jsonl"),
                "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":"
                        + "{\"user\":\"alice\",\"readonly\":true,\"nonResourcePath\":\"/public/*\"}}\n");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--allowed-client-names=proxy",
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy,
                "--http-check",
                "--envoy-check",
                "--check-identity=" + identity,
                "--check-client-ca-file=" + pki.file("ca.crt"),
                "--check-response-headers=X-Auth-User,X-Auth-Groups,X-Auth-Decision-Id",
                "--decision-log-path=" + log));
        return RunningServer.startReused(Program.DECIDER, flags);
    }

    /** An ambiguous path, as sent. */
    private record Trick(int number, String line) {
        static List<Trick> all() throws IOException {
            try (var in = ProxyPathsTest.class.getResourceAsStream("/proxies/tricks.txt")) {
                List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .toList();
                List<Trick> tricks = new ArrayList<>();
                for (String line : lines) {
                    tricks.add(new Trick(tricks.size(), line));
                }
                return tricks;
            }
        }

        String head() {
            String bytes = ESCAPE.matcher(line)
                    .replaceAll(
                            found -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))))
                    .replace("\\t", "\t");
            String whole = REPEATED.matcher(bytes)
                    .replaceAll(
                            found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
            String[] parts = whole.split(" \\| ", -1);
            var head = new StringBuilder(parts[0]).append(" HTTP/1.1\r\n");
            boolean host = false;
            boolean connection = false;
            for (int i = 1; i < parts.length; i++) {
                head.append(parts[i]).append("\r\n");
                host |= parts[i].startsWith("Host:");
                connection |= parts[i].startsWith("Connection:");
            }
            return head.append(host ? "" : "Host: localhost\r\n")
                    .append(connection ? "" : "Connection: close\r\n")
                    .append("X-Trick: ")
                    .append(number)
                    .append("\r\n\r\n")
                    .toString();
        }
    }

    @ParameterizedTest
    @EnumSource
    void applicationReceivesOnlyAuthorizedPaths(ReverseProxy.Kind kind) throws IOException {
        Path log = pki.directory().resolve(kind + ".log");
        application.heads().clear();
        Map<Integer, Integer> statuses = new TreeMap<>();
        RunningServer decider = decider(kind.identity(), log);
        try (decider;
                ReverseProxy proxy = ReverseProxy.start(kind, pki, decider.port(), application.port())) {
            RawClient alice = new RawClient(pki, "alice", proxy.port());
            // Some proxies listen before they are ready.
            await().ignoreExceptions().until(() -> RawClient.status(alice.send(head("GET /private"))) != 404);
            application.heads().clear();
            assertThat(alice.send(head("GET /public/a")))
                    .as(proxy.log() + decider.err())
                    .startsWith("HTTP/1.1 200");
            assertThat(RawClient.status(alice.send(head("GET /private")))).isEqualTo(403);
            RawClient mallory = new RawClient(pki, "mallory", proxy.port());
            assertThat(RawClient.status(mallory.send(head("GET /public/a")))).isEqualTo(403);
            RawClient nobody = new RawClient(pki, null, proxy.port());
            assertThat(RawClient.status(nobody.send(head("GET /public/a")))).isEqualTo(401);
            assertThat(application.heads()).hasSize(1);
            for (Trick trick : Trick.all()) {
                statuses.merge(RawClient.status(alice.send(trick.head())), 1, Integer::sum);
            }
            assertThat(decider.terminate()).isZero();
            assertThat(decider.err()).doesNotContain("\tat ");
            int before = application.heads().size();
            assertThat(RawClient.status(alice.send(head("GET /public/a"))))
                    .as("without a decider")
                    .isBetween(400, 599);
            assertThat(application.heads()).hasSize(before);
        }
        System.out.println(kind + ": " + statuses + ", reached the application: "
                + application.heads().size());
        Map<String, JsonNode> decided = decisions(log);
        List<String> violations = new ArrayList<>();
        for (Head head : application.heads()) {
            String violation = violation(head, decided);
            if (!violation.isEmpty()) {
                violations.add(violation + ": " + head.lines());
            }
        }
        assertThat(violations).isEmpty();
        assertThat(application.heads()).as("plain requests are passed on").hasSizeGreaterThan(20);
    }

    private static String head(String line) {
        return line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    }

    private static Map<String, JsonNode> decisions(Path log) throws IOException {
        Map<String, JsonNode> decided = new HashMap<>();
        await().until(() -> Files.exists(log));
        for (String line : Files.readAllLines(log)) {
            JsonNode decision = JSON.readTree(line);
            decided.put(decision.path("id").asText(), decision);
        }
        return decided;
    }

    /** Returns the problem of a request that reached the application, or {@code ""}. */
    private static String violation(Head head, Map<String, JsonNode> decided) {
        JsonNode decision = decided.get(head.field("X-Auth-Decision-Id").orElse(""));
        if (decision == null) {
            return "no decision";
        }
        JsonNode requested = decision.path("spec").path("nonResourceAttributes");
        if (!decision.path("allowed").asBoolean()) {
            return "not allowed";
        }
        if (!requested.path("verb").asText().equals(head.method().toLowerCase(Locale.ROOT))) {
            return "another method than " + requested;
        }
        String path = head.target().replaceFirst("\\?.*", "");
        if (!requested.path("path").asText().equals(decoded(path))) {
            return "another path than " + requested;
        }
        if (!resolved(path).startsWith("/public/")) {
            return "a forbidden path, as some servers read it";
        }
        if (head.field("Upgrade").orElse("").toLowerCase(Locale.ROOT).contains("h2")) {
            return "an upgrade that hides requests";
        }
        for (String field : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
            if (!head.field(field).orElse("GET").equals("GET")) {
                return "a method in a field";
            }
        }
        if (head.lines().stream().skip(1).anyMatch(line -> line.matches("(?i)(x|ssl)[^:]*_.*"))) {
            return "a field that some backends take for another";
        }
        if (!head.field("X-Auth-User")
                .equals(decision.path("spec").optional("user").map(JsonNode::asText))) {
            return "another user than " + decision.path("spec");
        }
        return "";
    }

    /** Decodes once, like a server. */
    private static String decoded(String path) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '%') {
                bytes.write(Integer.parseInt(path.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.write(path.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Interprets a path as liberally as any server: fully decoded, without parameters, resolved, in lower case. */
    private static String resolved(String path) {
        String text = path;
        while (text.matches(".*%[0-9a-fA-F]{2}.*")) {
            text = decoded(text.replaceAll("%(?![0-9a-fA-F]{2})", ""));
        }
        List<String> segments = new ArrayList<>();
        for (String segment : text.replace('\\', '/').replaceAll(";[^/]*", "").split("/", -1)) {
            if (segment.equals("..")) {
                if (!segments.isEmpty()) {
                    segments.removeLast();
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.add(segment);
            }
        }
        return "/" + String.join("/", segments).toLowerCase(Locale.ROOT) + "/";
    }
}
