package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No spelling of a request means one thing to the authorizer and another to the router. The decision log of the server's decider shows the
 * former, the response the latter: alice may read {@code /version} and the configmaps of namespace {@code open}, and must never receive the
 * contents of namespace {@code closed}.
 */
final class PathTricksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int AT_LEAST = 150;
    private static final String OPEN = "what-everybody-may-see";
    private static final String CLOSED = "what-nobody-may-see";
    private static final String POLICY =
            "{\"apiVersion\":\"abac.authorization.platform.io/v1beta1\",\"kind\":\"Policy\","
                    + "\"spec\":{\"user\":\"alice\",\"readonly\":true,%s}}\n";

    private static TestPki pki;
    private static RunningServer decider;
    private static RunningServer server;
    private static HttpsClient admin;
    private static SSLContext alice;

    @BeforeAll
    static void start() throws IOException {
        pki = TestPki.create()
                .client("apiserver-lite")
                .client("admin", "system:masters")
                .client("alice");
        Path policy = Files.writeString(
                pki.directory().resolve("policy.jsonl"),
                POLICY.formatted("\"nonResourcePath\":\"/version\"")
                        + POLICY.formatted("\"namespace\":\"open\",\"resource\":\"configmaps\""));
        decider = start(
                Program.DECIDER,
                "--authorization-mode=ABAC",
                "--authorization-policy-file=" + policy,
                "--decision-log-path=" + log(),
                "--decision-log-mode=blocking");
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        server = start(
                Program.APISERVER_LITE,
                "--data-dir=" + pki.directory().resolve("data"),
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file("webhook.conf"),
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--runtime-config=authorization.plat.io/v1beta1=true");
        admin = HttpsClient.of(pki, "admin");
        alice = pki.tls("alice");
        create("open", "note", OPEN);
        create("closed", "secret", CLOSED);
    }

    private static Path log() {
        return pki.directory().resolve("decisions.jsonl");
    }

    private static RunningServer start(Program program, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return RunningServer.startReused(program, flags);
    }

    private static void create(String namespace, String name, String value) throws IOException {
        admin.post(server.at("/api/v1/namespaces"), "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        assertThat(admin.post(
                                server.at("/api/v1/namespaces/" + namespace + "/configmaps"),
                                "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"value\":\"" + value + "\"}}")
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
        decider.close();
        Directories.delete(pki.directory());
    }

    static List<PathTrick> corpus() {
        return PathTrick.corpus();
    }

    @Test
    void corpusIsLargeEnough() {
        assertThat(corpus()).hasSizeGreaterThanOrEqualTo(AT_LEAST);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("corpus")
    void authorizerAndRouterSeeTheSamePath(PathTrick trick) throws IOException {
        int before = deciderRequests().size();
        List<Reply> replies = exchange(trick);
        List<String> requested = deciderRequests();
        String message = replies.stream().map(Reply::body).collect(Collectors.joining("\n"));
        assertThat(message).as(trick.cause()).doesNotContain(CLOSED);
        assertThat(replies)
                .as("%s: %s", trick.cause(), message)
                .extracting(Reply::code)
                .containsExactlyElementsOf(trick.codes());
        assertThat(requested.subList(before, requested.size()))
                .as(trick.cause())
                .containsExactlyElementsOf(trick.requests());
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i).code() == 200 && !trick.isHead()) {
                boolean path = trick.requests().get(i).equals("get /version");
                assertThat(replies.get(i).body()).contains(path ? "gitVersion" : OPEN);
            }
        }
    }

    /** Returns the requests to the decider so far, one line each. */
    private static List<String> deciderRequests() throws IOException {
        List<String> deciderRequests = new ArrayList<>();
        for (String line : Files.readAllLines(log())) {
            deciderRequests.add(request(JSON.readTree(line).path("spec")));
        }
        return deciderRequests;
    }

    private static String request(JsonNode spec) {
        assertThat(spec.path("user").asText()).isEqualTo("alice");
        JsonNode path = spec.path("nonResourceAttributes");
        if (path.isObject()) {
            return path.path("verb").asText() + " " + path.path("path").asText();
        }
        JsonNode resource = spec.path("resourceAttributes");
        String namespace = resource.path("namespace").asText();
        return resource.path("verb").asText() + " " + resource.path("resource").asText()
                + prefixed("/", resource.path("subresource").asText())
                + prefixed(".", resource.path("group").asText())
                + prefixed(" ", resource.path("name").asText())
                + (namespace.isEmpty() ? " everywhere" : " in " + namespace);
    }

    private static String prefixed(String prefix, String text) {
        return text.isEmpty() ? "" : prefix + text;
    }

    /** A response. */
    private record Reply(int code, String body) {}

    /** Sends everything, closes the sending side, and reads until the end. */
    private static List<Reply> exchange(PathTrick trick) throws IOException {
        try (SSLSocket socket = (SSLSocket) alice.getSocketFactory().createSocket("localhost", server.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(trick.bytes().getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            return replies(new ByteArrayInputStream(all(socket.getInputStream())), trick.isHead());
        }
    }

    private static byte[] all(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try {
            in.transferTo(bytes);
        } catch (SocketTimeoutException open) {
            throw open;
        } catch (SocketException | SSLException reset) {
            // The server closed the connection during sending; the responses before that count.
            return bytes.toByteArray();
        }
        return bytes.toByteArray();
    }

    private static List<Reply> replies(ByteArrayInputStream in, boolean isHead) throws IOException {
        List<Reply> replies = new ArrayList<>();
        while (in.available() > 0) {
            String status = line(in);
            assertThat(status).startsWith("HTTP/1.1 ");
            int length = 0;
            boolean chunked = false;
            for (String field = line(in); !field.isEmpty(); field = line(in)) {
                if (field.startsWith("Content-Length: ")) {
                    length = Integer.parseInt(field.substring("Content-Length: ".length()));
                }
                chunked |= field.equals("Transfer-Encoding: chunked");
            }
            byte[] body = isHead ? new byte[0] : chunked ? chunks(in) : in.readNBytes(length);
            replies.add(new Reply(Integer.parseInt(status.substring(9, 12)), new String(body, StandardCharsets.UTF_8)));
        }
        return replies;
    }

    private static byte[] chunks(ByteArrayInputStream in) throws IOException {
        var body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            body.write(in.readNBytes(size));
            line(in);
        }
        line(in);
        return body.toByteArray();
    }

    private static String line(ByteArrayInputStream in) {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
