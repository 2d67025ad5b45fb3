package io.plat.tests.apiserver.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Repeats every exchange of the transcript with a new server. */
class TranscriptsTest {
    private static TestPki pki;
    private static Path data;
    private static RunningServer server;
    private static HttpsClient admin;
    private static HttpsClient anonymous;

    private final Counterparts counterparts = new Counterparts();

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create().client("admin", "system:masters");
        data = Files.createTempDirectory("plat-data");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--data-dir=" + data));
        flags.add("--runtime-config=rbac.authorization.plat.io/v1alpha1=true");
        server = RunningServer.startAlone(Program.APISERVER_LITE, flags);
        admin = HttpsClient.of(pki, "admin");
        anonymous = HttpsClient.of(pki, null);
    }

    @AfterAll
    static void stop() {
        admin.close();
        anonymous.close();
        server.close();
        Directories.delete(data);
        pki.close();
    }

    @TestFactory
    Stream<DynamicTest> exchanges() throws IOException {
        Map<String, String> differences = new HashMap<>();
        for (JsonNode row : Exchange.rows("differences.jsonl")) {
            differences.put(row.path("title").asText(), row.path("why").asText());
        }
        List<JsonNode> expectedRows = Exchange.rows("given.jsonl");
        List<Exchange> all = Exchange.all();
        assertThat(all.stream().map(Exchange::title).toList())
                .doesNotHaveDuplicates()
                .containsAll(differences.keySet());
        return all.stream()
                .map(exchange -> DynamicTest.dynamicTest(exchange.title(), () -> {
                    for (JsonNode step : expectedRows) {
                        if (step.path("before").asText().equals(exchange.title())) {
                            HttpResponse<String> created = send(admin, step, headers(step));
                            assertThat(created.statusCode()).as(created.body()).isBetween(200, 299);
                        }
                    }
                    compare(exchange, differences.get(exchange.title()));
                }));
    }

    private static Map<String, String> headers(JsonNode step) {
        return step.has("contentType")
                ? Map.of("Content-Type", step.path("contentType").asText())
                : Map.of();
    }

    private void compare(Exchange exchange, @Nullable String difference) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.request()
                .path("headers")
                .properties()
                .forEach(
                        header -> headers.put(header.getKey(), header.getValue().asText()));
        HttpResponse<String> answer = send(exchange.anonymous() ? anonymous : admin, exchange.request(), headers);
        JsonNode theirs = Counterparts.comparable(exchange.response());
        JsonNode ours = Counterparts.comparable(answer(answer, exchange.response()));
        counterparts.learn(theirs, ours);
        if (difference == null) {
            assertThat(ours).isEqualTo(counterparts.mapped(theirs));
        } else {
            assertThat(ours)
                    .as("it is as in the transcript now, and no longer a difference: " + difference)
                    .isNotEqualTo(counterparts.mapped(theirs));
        }
    }

    private HttpResponse<String> send(HttpsClient client, JsonNode request, Map<String, String> headers)
            throws IOException {
        String path = counterparts.mapped(request.path("path").asText());
        HttpRequest.Builder builder = HttpRequest.newBuilder(server.at(path)).timeout(Duration.ofSeconds(30));
        JsonNode body = counterparts.mapped(request.path("body"));
        if (!body.isMissingNode()) {
            builder.header("Content-Type", headers.getOrDefault("Content-Type", "application/json"));
        }
        headers.forEach((name, value) -> {
            if (!name.equals("Content-Type")) {
                builder.header(name, value);
            }
        });
        builder.method(
                request.path("method").asText(),
                body.isMissingNode()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body.isTextual() ? body.asText() : body.toString()));
        try {
            return client.http().send(builder.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Returns a response in the format of the transcript: the recorded headers, and warnings. */
    private static ObjectNode answer(HttpResponse<String> answer, JsonNode theirs) throws IOException {
        ObjectNode written = JsonNodeFactory.instance.objectNode();
        written.put("status", answer.statusCode());
        ObjectNode headers = written.putObject("headers");
        Set<String> names = new TreeSet<>(Set.of("Warning"));
        theirs.path("headers").fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            List<String> values = answer.headers().allValues(name);
            if (!values.isEmpty()) {
                headers.put(name, String.join(", ", values));
            }
        }
        written.set("body", body(answer.body(), theirs.path("body")));
        return written;
    }

    private static JsonNode body(String text, JsonNode theirs) throws IOException {
        if (theirs.isTextual()) {
            return TextNode.valueOf(text);
        }
        if (theirs.isArray()) {
            ArrayNode events = JsonNodeFactory.instance.arrayNode();
            for (String line : text.lines().toList()) {
                events.add(Exchange.JSON.readTree(line));
            }
            return events;
        }
        return Objects.requireNonNull(Exchange.JSON.readTree(text));
    }
}
