package io.plat.tests.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.AuditLog;
import io.plat.tests.process.Directories;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Two servers that share an etcd, authorize by its role objects and record requests. Certificates and clients are separate. */
final class TwoServers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ELECTED = "this server was elected to run the controllers";
    private static final String ENDED = "this server no longer runs the controllers";

    private final EtcdServer etcd;
    private final Path directory;
    private int started;
    private Recorded one;
    private Recorded two;

    /** A server and its audit log. */
    private record Recorded(StandaloneServer server, AuditLog log) {}

    private TwoServers(EtcdServer etcd, Path directory) {
        this.etcd = etcd;
        this.directory = directory;
        Path first = nextLog();
        Path second = nextLog();
        // Started concurrently: both find an empty store and create the initial objects.
        CompletableFuture<Recorded> other = CompletableFuture.supplyAsync(() -> start(first));
        CompletableFuture<Recorded> own = CompletableFuture.supplyAsync(() -> start(second));
        try {
            this.one = own.join();
            this.two = other.join();
        } catch (CompletionException failed) {
            var _ = own.thenAccept(started -> started.server().close());
            var _ = other.thenAccept(started -> started.server().close());
            etcd.close();
            throw failed;
        }
    }

    /** Starts everything; skips the test if etcd is missing. */
    static TwoServers start() {
        try {
            EtcdServer etcd = EtcdServer.start();
            Path directory = Files.createTempDirectory("plat-two");
            Files.writeString(directory.resolve("policy.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                rules:
                - level: RequestResponse
                  resources: [{group: "", resources: [configmaps]}]
                - level: None
                """);
            return new TwoServers(etcd, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path nextLog() {
        started++;
        return directory.resolve("audit-" + started + ".log");
    }

    private Recorded start(Path log) {
        StandaloneServer server = StandaloneServer.startProcessWithRolesOn(
                etcd,
                "--etcd-progress-timeout=5s",
                "--audit-policy-file=" + directory.resolve("policy.yaml"),
                "--audit-log-path=" + log);
        return new Recorded(server, new AuditLog(log));
    }

    EtcdServer etcd() {
        return etcd;
    }

    StandaloneServer one() {
        return one.server();
    }

    StandaloneServer two() {
        return two.server();
    }

    StandaloneServer otherThan(StandaloneServer server) {
        return server == one() ? two() : one();
    }

    /** Returns whether a server's log shows that it was elected for background work. */
    static boolean elected(StandaloneServer server) {
        String log = server.process().err();
        return log.lastIndexOf(ELECTED) > log.lastIndexOf(ENDED);
    }

    /** Replaces a server that has ended. */
    void replace(StandaloneServer stopped) {
        stopped.close();
        if (stopped == one()) {
            one = start(nextLog());
        } else {
            two = start(nextLog());
        }
    }

    static HttpResponse<String> get(StandaloneServer server, String path) {
        return get(server.client(), server, path);
    }

    static HttpResponse<String> get(HttpsClient client, StandaloneServer server, String path) {
        try {
            return client.get(server.at(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode send(StandaloneServer server, String method, String path, @Nullable String body) {
        try {
            HttpResponse<String> answer = server.client().send(method, server.at(path), body);
            if (answer.statusCode() >= 300) {
                throw new AssertionError(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    /** Returns the recorded events of a request. */
    List<JsonNode> events(StandaloneServer server, String auditId) {
        return (server == one() ? one : two).log().events(auditId);
    }

    @Override
    public void close() {
        one().close();
        two().close();
        etcd.close();
        Directories.delete(directory);
    }
}
