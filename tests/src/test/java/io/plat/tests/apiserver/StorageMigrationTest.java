package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.apiserver.storage.etcd.RequestObserver;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code apiserver-lite migrate}, {@code backup} and {@code restore} between a directory, an etcd and a file, with a server on each. */
@Order(1)
@EmbeddedOnly("migrates from and to directories, and selects its own etcd")
class StorageMigrationTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final List<String> TYPES = List.of(
            "/api/v1/namespaces",
            "/api/v1/configmaps",
            "/api/v1/serviceaccounts",
            "/api/v1/events",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/example.io/v1/things");

    private static TestPki pki;
    private static HttpsClient client;
    private static EtcdServer etcd;

    private final Path directory;

    StorageMigrationTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start();
        pki = TestPki.create().client("admin", "system:masters");
        client = HttpsClient.of(pki, "admin");
    }

    @AfterAll
    static void stop() {
        if (etcd != null) {
            client.http().shutdownNow();
            client.close();
            pki.close();
            etcd.close();
        }
    }

    /** A prefix of the shared etcd. */
    private record Prefix(String name) {
        List<String> flags(String start) {
            return List.of("--" + start + "etcd-servers=" + etcd.url(), "--" + start + "etcd-prefix=" + name);
        }
    }

    private static List<String> directoryFlags(String start, Path data) {
        return List.of("--" + start + "data-dir=" + data);
    }

    private static RunningServer serve(List<String> storage) {
        return ConfiguredStore.serve(pki, storage);
    }

    /** Returns the checksum in the output of a command. */
    private static String sumMoved(CompletedProcess finished) {
        assertThat(finished.err()).isEmpty();
        assertThat(finished.out()).matches("""
            objects: [0-9]+
            sha256: [0-9a-f]{64}
            revision: [0-9]+
            verified by reading it back
            (no role objects [^\\n]*\\n)?\
            """);
        assertThat(finished.exitStatus()).isZero();
        return finished.out().lines().toList().get(1);
    }

    private static JsonNode get(RunningServer server, String path) {
        try {
            return JSON.readTree(client.get(server.at(path)).body());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode post(RunningServer server, String path, String body) {
        try {
            HttpResponse<String> answer = client.post(server.at(path), body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asLong();
    }

    /** Returns all objects by type and name, as served, without versions, which must exceed one. */
    private static Map<String, JsonNode> objects(RunningServer server, long after) {
        var all = new TreeMap<String, JsonNode>();
        for (String type : TYPES) {
            JsonNode list = get(server, type);
            assertThat(version(list)).as(type).isGreaterThan(after);
            for (JsonNode item : list.path("items")) {
                assertThat(version(item)).as(item.toString()).isGreaterThan(after);
                ((ObjectNode) item.path("metadata")).remove("resourceVersion");
                all.put(type + item.at("/metadata/namespace").asText() + item.at("/metadata/name"), item);
            }
        }
        return all;
    }

    private static void furnish(RunningServer server) {
        post(server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
            "metadata":{"name":"things.example.io"},"spec":{"group":"example.io","scope":"Namespaced",
            "names":{"plural":"things","kind":"Thing"},"versions":[{"name":"v1","served":true,"storage":true,
            "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}\
            """);
        post(
                server,
                "/apis/example.io/v1/namespaces/default/things",
                "{\"apiVersion\":\"example.io/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"x\"},\"a\":\"\u00e4\"}");
        for (int i = 0; i < 9; i++) {
            post(server, MAPS, ConfigMaps.body("c" + i, "", "value " + i));
        }
        post(server, "/api/v1/namespaces/default/events", """
            {"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"namespace":"default"},
            "reason":"Moved","message":"on the way"}\
            """);
    }

    private static String token(RunningServer server) {
        return post(server, "/api/v1/namespaces/default/serviceaccounts/default/token", "{}")
                .at("/status/token")
                .asText();
    }

    private static boolean authenticates(RunningServer server, String token) {
        return post(server, "/apis/authentication.k8s.io/v1/tokenreviews", "{\"spec\":{\"token\":\"" + token + "\"}}")
                .at("/status/authenticated")
                .asBoolean();
    }

    private static void assertMustListAgain(RunningServer server, long version) {
        try (OpenWatch watch = OpenWatch.open(client, server.at(MAPS + "?watch=1&resourceVersion=" + version))) {
            assertThat(watch.code()).isEqualTo(410);
        }
        JsonNode list = get(server, MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + version);
        assertThat(list.path("code").asInt()).as(list.toString()).isEqualTo(410);
    }

    @Test
    void unreachableEtcdIsNamed() {
        CompletedProcess rejected = ConfiguredStore.run(
                "backup", List.of("--etcd-servers=http://127.0.0.1:1", "--to-file=" + directory.resolve("backup")));
        assertThat(rejected.err()).matches("--etcd-servers: etcd: Connection refused: .*127\\.0\\.0\\.1:1\n");
        assertThat(rejected.exitStatus()).isEqualTo(1);
    }

    @Test
    void migrationPreservesObjectsAndWatchersRelist() {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        Path file = directory.resolve("backup");
        var prefix = new Prefix("/there-and-back");
        Map<String, JsonNode> before;
        String token;
        long seen;
        try (RunningServer server = serve(directoryFlags("", first))) {
            furnish(server);
            token = token(server);
            before = objects(server, 0);
            seen = version(get(server, MAPS));
            CompletedProcess rejected =
                    ConfiguredStore.run("migrate", directoryFlags("from-", first), prefix.flags("to-"));
            assertThat(rejected.err())
                    .isEqualTo("--from-data-dir: the data directory \"" + first + "\" is in use by another process\n");
            assertThat(rejected.exitStatus()).isEqualTo(1);
        }
        sumMoved(ConfiguredStore.run("migrate", directoryFlags("from-", first), prefix.flags("to-")));
        String backedUp;
        try (RunningServer server = serve(prefix.flags(""))) {
            assertThat(objects(server, seen)).isEqualTo(before);
            assertThat(authenticates(server, token)).isTrue();
            assertMustListAgain(server, seen);
            long now = version(get(server, MAPS));
            try (OpenWatch watch = OpenWatch.open(client, server.at(MAPS + "?watch=1&resourceVersion=" + now))) {
                post(server, MAPS, ConfigMaps.body("made-in-etcd", "", "1"));
                assertThat(watch.nextInShort()).startsWith("ADDED made-in-etcd@");
            }
            before = objects(server, seen);
            seen = version(get(server, MAPS));
            backedUp = sumMoved(ConfiguredStore.run("backup", prefix.flags(""), List.of("--to-file=" + file)));
            CompletedProcess rejected =
                    ConfiguredStore.run("restore", List.of("--from-file=" + file, "--force"), prefix.flags(""));
            assertThat(rejected.err()).startsWith("restore: a server uses it");
        }
        assertThat(sumMoved(ConfiguredStore.run("migrate", prefix.flags("from-"), directoryFlags("to-", second))))
                .isEqualTo(backedUp);
        assertThat(sumMoved(ConfiguredStore.run(
                        "restore", List.of("--from-file=" + file), directoryFlags("", second), List.of("--force"))))
                .isEqualTo(backedUp);
        try (RunningServer server = serve(directoryFlags("", second))) {
            assertThat(objects(server, seen + 999_999_999)).isEqualTo(before);
            assertThat(authenticates(server, token)).isTrue();
            assertMustListAgain(server, seen);
            post(server, MAPS, ConfigMaps.body("made-back-home", "", "1"));
        }
    }

    @Test
    void killedMigrationKeepsTheSourceAndServesNothing() throws Exception {
        Path data = directory.resolve("data");
        fill(data, 10_000);
        byte[] original = Files.readAllBytes(data.resolve("objects.db"));
        var prefix = new Prefix("/killed");
        Process moving = new ProcessBuilder(List.of(
                        Program.APISERVER_LITE.launcher().toString(),
                        "migrate",
                        "--from-data-dir=" + data,
                        prefix.flags("to-").get(0),
                        prefix.flags("to-").get(1)))
                .start();
        try (RemoteKeys keys = keys(prefix)) {
            await().pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> keys.get("~/origin").get() != null);
            moving.destroyForcibly();
            assertThat(moving.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(keys.get("~/origin").get().bytes(), UTF_8)).isEqualTo("unfinished 0");
        }
        assertThat(Files.readAllBytes(data.resolve("objects.db"))).isEqualTo(original);
        CompletedProcess rejected = Command.reused(
                        Program.APISERVER_LITE, pki.serverFlags().toArray(String[]::new))
                .with("--secure-port=0", "--authorization-mode=AlwaysAllow", "--storage-backend=etcd3")
                .with(prefix.flags("").toArray(String[]::new))
                .run();
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.err())
                .isEqualTo("--etcd-servers: a migration or restore into it was not finished: start it again with"
                        + " --force\n");
        assertThat(ConfiguredStore.run(
                                "migrate", directoryFlags("from-", data), prefix.flags("to-"), List.of("--force"))
                        .out())
                .startsWith("objects: 10000\n");
    }

    private static RemoteKeys keys(Prefix prefix) throws IOException {
        return RemoteProtocol.find(Checkout.path("apiserver-lite/etcd/target"), "etcd3")
                .open(new RemoteSettings(List.of(URI.create(etcd.url())), prefix.name(), null), RequestObserver.NONE);
    }

    private static void fill(Path data, int objects) throws StorageException {
        try (ObjectStore store = EmbeddedStore.open(data, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            var writes = new ArrayList<CompletableFuture<Outcome>>();
            for (int i = 0; i < objects; i++) {
                byte[] bytes = ("{\"metadata\":{\"name\":\"c" + i + "\",\"namespace\":\"a\",\"uid\":\"u" + i
                                + "\"},\"data\":{\"filler\":\"" + "x".repeat(500) + "\"}}")
                        .getBytes(UTF_8);
                writes.add(store.submit(Transaction.create(new Key("configmaps", "a", "c" + i), bytes)));
                if (writes.size() == 5000) {
                    CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new))
                            .join();
                    writes.clear();
                }
            }
            CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)).join();
        }
    }
}
