package io.plat.tests.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Servers of the stored runs: a decider with the role objects in {@code files/policy}; an API server that uses that decider and then its own
 * role objects; and a permissive decider, which any client may use.
 */
final class StoredRunServers implements AutoCloseable {
    private static final String REFUSAL =
            "{\"kind\":\"SubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\","
                    + "\"status\":{\"allowed\":false}}";

    private final TestPki pki;
    private final Path data;
    private final RunningServer decider;
    private final RunningServer server;
    private final HttpsServer careless;
    private final Map<String, Path> clientFiles = new ConcurrentHashMap<>();

    private StoredRunServers(
            TestPki pki, Path data, RunningServer decider, RunningServer server, HttpsServer careless) {
        this.pki = pki;
        this.data = data;
        this.decider = decider;
        this.server = server;
        this.careless = careless;
    }

    static StoredRunServers start(Path policy) throws IOException {
        TestPki pki = TestPki.create()
                .client("apiserver-lite")
                .client("admin", "system:masters")
                .client("alice", "developers")
                .client("olivia")
                .client("carol")
                .client("mallory")
                .untrustedClient("stranger");
        RunningServer decider = RunningServer.startReused(
                Program.DECIDER, flags(pki, "--authorization-mode=RBAC", "--authorization-rbac-path=" + policy));
        Path webhook = ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        Path data = Files.createTempDirectory("plat-data");
        RunningServer server = RunningServer.startReused(
                Program.APISERVER_LITE,
                flags(
                        pki,
                        "--data-dir=" + data,
                        "--authorization-mode=Webhook,RBAC",
                        "--authorization-webhook-config-file=" + webhook,
                        "--runtime-config=api/all=true"));
        return new StoredRunServers(pki, data, decider, server, careless(pki));
    }

    private static List<String> flags(TestPki pki, String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.add("--secure-port=0");
        flags.addAll(List.of(more));
        return flags;
    }

    private static HttpsServer careless(TestPki pki) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(pki.tls("server")));
        server.createContext("/", StoredRunServers::refuse);
        server.start();
        return server;
    }

    private static void refuse(HttpExchange exchange) throws IOException {
        byte[] answer = REFUSAL.getBytes(StandardCharsets.UTF_8);
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(201, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    TestPki pki() {
        return pki;
    }

    /** Returns the URL of a server, by its name in the table. */
    URI at(String requested) {
        return switch (requested) {
            case "decider" -> decider.at("");
            case "server" -> server.at("");
            case "careless" ->
                URI.create("https://localhost:" + careless.getAddress().getPort());
            default -> throw new IllegalArgumentException("nobody is called " + requested);
        };
    }

    /** A client configuration file, written once, as other runs may be reading it. */
    Path clientFile(String requested, String user) {
        return clientFiles.computeIfAbsent(
                requested + "-" + user + ".conf", name -> ClientFiles.write(pki, name, at(requested), user));
    }

    @Override
    public void close() {
        careless.stop(0);
        server.close();
        decider.close();
        Directories.delete(data);
        pki.close();
    }
}
