package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.EmbeddedOnly;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenWatch;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A store with objects that an earlier build let custom types write under the keys of built-in types. They are not served, grant nothing,
 * stay unchanged byte for byte, are reported, and are removed on request.
 */
@EmbeddedOnly("each test prepares a store of its own kind")
class ForeignObjectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String BINDINGS = "/apis/" + RBAC + "/v1/clusterrolebindings";
    private static final String DEFINITION = "clusterrolebindings." + RBAC;
    private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
    private static final String GRANT = ",'subjects':[{'kind':'User','apiGroup':'" + RBAC + "','name':'evil'}],"
            + "'roleRef':{'apiGroup':'" + RBAC + "','kind':'ClusterRole','name':'cluster-admin'}}";

    /** The foreign objects by key; JSON is written with single quotes. */
    private static final Map<String, String> FOREIGN = new TreeMap<>(Map.of(
            "clusterrolebindings." + RBAC + "/another-name",
            object("legitimate", "") + GRANT,
            "clusterrolebindings." + RBAC + "/written-as-v2",
            object("written-as-v2", ",'managedFields':[" + owner(RBAC + "/v1") + "," + owner(RBAC + "/v2") + "]")
                    + GRANT,
            "clusterrolebindings." + RBAC + "/owners-removed",
            object("owners-removed", ",'generation':1") + GRANT,
            "clusterrolebindings." + RBAC + "/other-version",
            object("other-version", "") + ",'apiVersion':'" + RBAC + "/v2'" + GRANT,
            "clusterrolebindings." + RBAC + "/other-kind",
            object("other-kind", "") + ",'kind':'Evil'" + GRANT,
            "clusterrolebindings." + RBAC + "/other-form",
            "{'kind':'ClusterRoleBinding'," + object("other-form", "").substring(1) + GRANT,
            "clusterrolebindings." + RBAC + "/no-json",
            "{'metadata':{'name':'no-json'",
            "clusterrolebindings.rbac.authorization.plat.io/alias",
            object("alias", "") + GRANT,
            "rolebindings." + RBAC + "/team/in-a-namespace",
            object(
                            "in-a-namespace",
                            ",'namespace':'team','managedFields':[" + owner("rbac.authorization.plat.io/v2") + "]")
                    + GRANT,
            "certificatesigningrequests.certificates.k8s.io/approved",
            object(
                            "approved",
                            ",'managedFields':[" + owner("certificates.k8s.io/v2")
                                    + "],'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'gone','uid':'x'}]")
                    + ",'spec':{},'status':{'conditions':[{'type':'Approved','status':'True'}]}}"));

    static {
        FOREIGN.put("rolebindings." + RBAC + "/team/without-namespace", object("without-namespace", "") + GRANT);
        FOREIGN.put(
                "clusterroles." + RBAC + "/too-deep",
                object("too-deep", ",'x':" + "[".repeat(900) + "]".repeat(900)) + "}");
        FOREIGN.put("widgets.example.com/team/another-name", object("widget", ",'namespace':'team'") + "}");
    }

    private static final String STORED_DEFINITION = object(DEFINITION, "") + ",'spec':{'group':'" + RBAC
            + "','scope':'Cluster','names':{'plural':'clusterrolebindings','singular':'evil','kind':'Evil',"
            + "'listKind':'EvilList'},'versions':[{'name':'v2','served':true,'storage':true,'schema':{"
            + "'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]},'status':{"
            + "'acceptedNames':{'plural':'clusterrolebindings','kind':'Evil'},'conditions':["
            + "{'type':'NamesAccepted','status':'True'},{'type':'Established','status':'True'}],"
            + "'storedVersions':['v2']}}";

    private static TestPki pki;

    @BeforeAll
    static void start() {
        pki = TestPki.create().client("admin", "system:masters").client("evil");
    }

    @AfterAll
    static void stop() {
        pki.close();
    }

    private static String object(String name, String more) {
        return "{'metadata':{'name':'" + name + "','uid':'u-" + name + "','creationTimestamp':'2026-01-01T00:00:00Z'"
                + more + "}";
    }

    private static String owner(String apiVersion) {
        return "{'manager':'m','operation':'Update','apiVersion':'" + apiVersion
                + "','fieldsType':'FieldsV1','fieldsV1':{}}";
    }

    /** Contents of the store before the server starts, by key. */
    private static Map<String, String> initialObjects() {
        Map<String, String> all = new TreeMap<>(FOREIGN);
        all.put(DEFINITIONS + "/" + DEFINITION, STORED_DEFINITION);
        all.put(
                "clusterrolebindings." + RBAC + "/legitimate",
                object(
                                "legitimate",
                                ",'managedFields':[" + owner(RBAC + "/v1") + ","
                                        + owner("rbac.authorization.plat.io/v1alpha1") + "]")
                        + ",'roleRef':{'apiGroup':'" + RBAC + "','kind':'ClusterRole','name':'view'}}");
        all.put(
                "namespaces/team",
                object("team", "") + ",'spec':{'finalizers':['kubernetes']},'status':{'phase':'Active'}}");
        all.replaceAll((key, text) -> text.replace('\'', '"'));
        return all;
    }

    /** Storage for the objects. */
    private interface Storage {
        void put(Map<String, String> objects) throws Exception;

        Map<String, String> all() throws Exception;

        List<String> flags();
    }

    private record DirectoryStorage(Path directory) implements Storage {
        private ObjectStore open() throws StorageException {
            return EmbeddedStore.open(directory, StoreOptions.keeping(HistoryPolicy.DEFAULT));
        }

        @Override
        public void put(Map<String, String> objects) throws StorageException {
            try (ObjectStore store = open()) {
                for (Map.Entry<String, String> each : objects.entrySet()) {
                    store.commit(Transaction.create(
                            Key.parse(each.getKey()), each.getValue().getBytes(UTF_8)));
                }
            }
        }

        @Override
        public Map<String, String> all() throws StorageException {
            Map<String, String> all = new TreeMap<>();
            try (ObjectStore store = open()) {
                for (String key : initialObjects().keySet()) {
                    store.latest()
                            .get(Key.parse(key))
                            .map(Entry::value)
                            .ifPresent(bytes -> all.put(key, new String(bytes, UTF_8)));
                }
            }
            return all;
        }

        @Override
        public List<String> flags() {
            return List.of("--data-dir=" + directory);
        }
    }

    private record EtcdStorage(EtcdServer etcd, HttpClient http) implements Storage {
        private JsonNode post(String method, String body) throws IOException, InterruptedException {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create(etcd.url() + "/v3/kv/" + method))
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body());
        }

        private static String encoded(String text) {
            return "\"" + Base64.getEncoder().encodeToString(text.getBytes(UTF_8)) + "\"";
        }

        @Override
        public void put(Map<String, String> objects) throws Exception {
            for (Map.Entry<String, String> each : objects.entrySet()) {
                post(
                        "put",
                        "{\"key\":" + encoded("/registry/" + each.getKey()) + ",\"value\":" + encoded(each.getValue())
                                + "}");
            }
        }

        @Override
        public Map<String, String> all() throws Exception {
            Map<String, String> all = new TreeMap<>();
            for (String key : initialObjects().keySet()) {
                for (JsonNode each : post("range", "{\"key\":" + encoded("/registry/" + key) + "}")
                        .path("kvs")) {
                    all.put(key, new String(each.path("value").binaryValue(), UTF_8));
                }
            }
            return all;
        }

        @Override
        public List<String> flags() {
            return List.of("--etcd-servers=" + etcd.url());
        }
    }

    @Test
    void onEmbeddedStorage() throws Exception {
        Path directory = Files.createTempDirectory("plat-foreign");
        try {
            checkAll(new DirectoryStorage(directory), List.of());
        } finally {
            Directories.delete(directory);
        }
    }

    @Test
    void onEtcd() throws Exception {
        try (EtcdServer etcd = EtcdServer.start();
                HttpClient http = HttpClient.newHttpClient()) {
            EtcdStorage storage = new EtcdStorage(etcd, http);
            byte[] notUtf8 = ("/registry/clusterrolebindings." + RBAC + "/evil\u00ff").getBytes(ISO_8859_1);
            storage.post(
                    "put",
                    "{\"key\":\"" + Base64.getEncoder().encodeToString(notUtf8) + "\",\"value\":"
                            + EtcdStorage.encoded((object("evil\ufffd", "") + GRANT).replace('\'', '"')) + "}");
            checkAll(storage, List.of("--storage-backend=etcd3"));
        }
    }

    private static void checkAll(Storage storage, List<String> more) throws Exception {
        storage.put(initialObjects());
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=RBAC",
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true"));
        flags.addAll(more);
        flags.addAll(storage.flags());
        try (RunningServer server = RunningServer.startReused(Program.APISERVER_LITE, flags);
                HttpsClient admin = HttpsClient.of(pki, "admin");
                HttpsClient evil = HttpsClient.of(pki, "evil")) {
            assertThat(evil.get(server.at("/api/v1/secrets")).statusCode()).isEqualTo(403);
            assertNotServed(server, admin);
            assertReported(server, admin);
            assertNotWritten(server, admin);
            assertUnaffectedByDeletions(server, admin);
            assertThat(evil.get(server.at("/api/v1/secrets")).statusCode()).isEqualTo(403);
            server.terminate();
        }
        Map<String, String> remaining = initialObjects();
        remaining.remove("namespaces/team");
        remaining.remove("clusterrolebindings." + RBAC + "/legitimate");
        assertThat(storage.all()).as("bytes").containsExactlyEntriesOf(remaining);
        assertRemovable(storage);
    }

    private static void assertNotServed(RunningServer server, HttpsClient admin) throws IOException {
        for (String version : List.of("rbac.authorization.k8s.io/v1", "rbac.authorization.plat.io/v1alpha1")) {
            String path = "/apis/" + version + "/clusterrolebindings";
            assertThat(names(admin, server.at(path)))
                    .contains("legitimate")
                    .doesNotContainAnyElementsOf(foreignNames());
        }
        for (String name : foreignNames()) {
            assertThat(admin.get(server.at(BINDINGS + "/" + name)).statusCode())
                    .as(name)
                    .isEqualTo(404);
        }
        assertThat(names(admin, server.at("/apis/" + RBAC + "/v1/rolebindings")))
                .doesNotContain("in-a-namespace");
        assertThat(names(admin, server.at("/apis/certificates.k8s.io/v1/certificatesigningrequests")))
                .isEmpty();
        for (String path : List.of(RBAC, "rbac.authorization.plat.io")) {
            assertThat(admin.get(server.at("/apis/" + path + "/v2/clusterrolebindings"))
                            .statusCode())
                    .isEqualTo(404);
        }
        try (OpenWatch watch =
                OpenWatch.open(admin, server.at(BINDINGS + "?watch=1&resourceVersion=0&timeoutSeconds=1"))) {
            assertThat(watch.rest())
                    .extracting(event -> event.at("/object/metadata/name").asText())
                    .contains("legitimate")
                    .doesNotContainAnyElementsOf(foreignNames());
        }
        JsonNode definition = JSON.readTree(
                admin.get(server.at("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + DEFINITION))
                        .body());
        assertThat(definition.at("/status/conditions").toString())
                .contains("NamesAccepted", "PluralConflict")
                .doesNotContain("\"True\"");
    }

    private static Set<String> foreignNames() {
        return FOREIGN.keySet().stream()
                .map(key -> key.substring(key.lastIndexOf('/') + 1))
                .collect(Collectors.toSet());
    }

    private static List<String> names(HttpsClient client, URI list) throws IOException {
        List<String> names = new ArrayList<>();
        JSON.readTree(client.get(list).body())
                .path("items")
                .forEach(item -> names.add(item.at("/metadata/name").asText()));
        return names;
    }

    private static void assertReported(RunningServer server, HttpsClient admin) throws IOException {
        assertThat(admin.get(server.at("/readyz?verbose")).body())
                .contains("[+]foreign-objects ok: " + FOREIGN.size()
                        + " objects and 1 definitions are stored and not served\n");
        assertThat(admin.get(server.at("/readyz")).statusCode()).isEqualTo(200);
        assertThat(admin.get(server.at("/metrics")).body())
                .contains("apiserver_storage_foreign_objects{kind=\"object\"} " + FOREIGN.size() + ".0")
                .contains("apiserver_storage_foreign_objects{kind=\"definition\"} 1.0");
        assertThat(server.err()).contains("count=" + FOREIGN.size(), "written-as-v2", "check --remove-foreign");
    }

    private static void assertNotWritten(RunningServer server, HttpsClient admin) throws IOException {
        String body = "{\"metadata\":{\"name\":\"written-as-v2\"},\"roleRef\":{\"apiGroup\":\"" + RBAC
                + "\",\"kind\":\"ClusterRole\",\"name\":\"view\"}}";
        String path = BINDINGS + "/written-as-v2";
        assertThat(admin.post(server.at(BINDINGS), body).statusCode()).isEqualTo(409);
        assertThat(admin.send("PUT", server.at(path), body).statusCode()).isEqualTo(409);
        assertThat(admin.send("DELETE", server.at(path), null).statusCode()).isEqualTo(404);
    }

    /** Collections, namespaces and definitions are deleted, and their foreign contents stay. */
    private static void assertUnaffectedByDeletions(RunningServer server, HttpsClient admin) throws IOException {
        for (String path : List.of(
                BINDINGS + "?fieldSelector=metadata.name%3Dlegitimate",
                "/apis/certificates.k8s.io/v1/certificatesigningrequests",
                "/apis/" + RBAC + "/v1/namespaces/team/rolebindings",
                "/api/v1/namespaces/team")) {
            assertThat(admin.send("DELETE", server.at(path), null).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        await().untilAsserted(() -> assertThat(
                        admin.get(server.at("/api/v1/namespaces/team")).statusCode())
                .isEqualTo(404));
    }

    private static void assertRemovable(Storage storage) throws Exception {
        List<String> keys = new ArrayList<>(FOREIGN.keySet());
        keys.add(DEFINITIONS + "/" + DEFINITION);
        if (storage instanceof DirectoryStorage) {
            assertThat(lines(check(storage), "foreign: ")).containsExactlyInAnyOrderElementsOf(keys);
        }
        assertThat(lines(check(storage, "--remove-foreign"), "removed: ")).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(storage.all()).isEmpty();
    }

    private static CompletedProcess check(Storage storage, String... more) {
        return Command.reused(Program.APISERVER_LITE, "check")
                .with(storage.flags().toArray(String[]::new))
                .with(more)
                .run();
    }

    private static List<String> lines(CompletedProcess finished, String start) {
        assertThat(finished.problems())
                .allMatch(line -> line.contains("a key that does not identify an object was skipped"));
        assertThat(finished.exitStatus()).isZero();
        return finished.out()
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
