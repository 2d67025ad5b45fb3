package io.plat.tests.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** A decider with the AuthZEN API and an allowed client. */
public final class AuthZenDecider implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String EVALUATION = "/access/v1/evaluation";
    static final String EVALUATIONS = "/access/v1/evaluations";

    private final TestPki pki;
    private final RunningServer server;
    private final HttpsClient client;

    private AuthZenDecider(TestPki pki, RunningServer server) {
        this.pki = pki;
        this.server = server;
        this.client = HttpsClient.of(pki, "pep");
    }

    /** Starts one with additional flags; closing it deletes the certificates. */
    public static AuthZenDecider start(TestPki pki, String... more) {
        return start(Program.DECIDER.reused(), pki, more);
    }

    /** Starts one as a process of its own, with additional flags; closing it deletes the certificates. */
    public static AuthZenDecider startProcess(TestPki pki, String... more) {
        return start(Program.DECIDER.launcher(), pki, more);
    }

    private static AuthZenDecider start(Path launcher, TestPki pki, String... more) {
        List<String> flags = new ArrayList<>(pki.client("pep").serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authzen"));
        flags.addAll(List.of(more));
        return new AuthZenDecider(pki, RunningServer.start(launcher, flags));
    }

    /** Reads a file of the scenarios. */
    static Path file(String name) {
        return Checkout.path("tests/src/test/resources/authzen/" + name);
    }

    /** Returns the lines of a table, without comments. */
    static List<String> lines(String name) {
        try {
            return Files.readAllLines(file(name)).stream()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RunningServer server() {
        return server;
    }

    public HttpsClient client() {
        return client;
    }

    public HttpResponse<String> post(String path, String body) throws IOException {
        return client.post(server.at(path), body);
    }

    /** Posts a request that must receive 200. */
    public JsonNode ok(String path, String body) throws IOException {
        HttpResponse<String> response = post(path, body);
        assertThat(response.statusCode()).as(body + response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        return JSON.readTree(response.body());
    }

    /** Returns the decision of an evaluation. */
    boolean evaluate(String body) throws IOException {
        JsonNode decision = ok(EVALUATION, body).path("decision");
        assertThat(decision.isBoolean()).isTrue();
        return decision.asBoolean();
    }

    /** Returns the decisions of a batch. */
    static List<Boolean> decisions(JsonNode answer) {
        return StreamSupport.stream(answer.path("evaluations").spliterator(), false)
                .map(one -> one.path("decision").asBoolean())
                .toList();
    }

    /** Returns the ids or names of a search. */
    static List<String> ids(JsonNode answer) {
        assertThat(answer.path("results").isArray()).isTrue();
        return StreamSupport.stream(answer.path("results").spliterator(), false)
                .map(one -> one.path("id").asText(one.path("name").asText()))
                .toList();
    }

    @Override
    public void close() {
        client.close();
        server.close();
        pki.close();
    }
}
