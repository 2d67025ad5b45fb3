package io.plat.tests.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.plat.http.commandline.FlagSet;
import io.plat.http.process.ServerProgram;
import io.plat.process.FaultInjector;
import io.plat.tests.process.Checkout;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.InterruptibleProxy;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Faults in the background loops that need several servers: those of storage in etcd, of the webhook, of followed role objects and of
 * fetched keys. An API server on etcd holds the role objects, a decider follows them, and another API server delegates to the decider; all
 * three run in this process, so that faults can be injected. The loops of single servers are tested in their modules.
 */
@Isolated("injects faults into all loops of a name")
class RemoteLoopFaultsTest {
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    /** Loops whose rounds wait for a remote response, which ends with the connection. */
    private static final Set<String> BLOCKING = Set.of("revisions", "storage-follower");

    private static final Set<String> REMOTE = Set.of(
            "follow-clusterrolebindings",
            "follow-clusterroles",
            "follow-rolebindings",
            "follow-roles",
            "oidc-keys",
            "presence",
            "revisions",
            "storage-election",
            "storage-follower",
            "webhook-addresses",
            "webhook-deadlines");

    /** Loops of the process and of logs, which are tested in their modules. */
    private static final Set<String> OTHER = Set.of("heap-watch", "start");

    private static final List<String> MODULES = List.of(
            "apiserver-lite",
            "apiserver-lite/etcd",
            "decider/engine",
            "decider/fronts",
            "decider/http",
            "decider/server",
            "decider/tls");

    private static final Deque<AutoCloseable> CLOSED = new ArrayDeque<>();

    private static FaultInjector faults;
    private static HttpsClient admin;
    private static HttpsClient zoe;
    private static InterruptibleProxy toRoles;
    private static InterruptibleProxy toDecider;
    private static URI roles;
    private static URI decider;
    private static URI delegating;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        System.out.println("faults in loops with remote servers: -Dplat.seed=" + SEED);
        // As in the launcher.
        System.setProperty(
                "plat.backends", Checkout.path("apiserver-lite/etcd/target").toString());
        EtcdServer etcd = closed(EtcdServer.start());
        TestPki pki = closed(
                TestPki.create().client("admin", "system:masters").client("zoe").client("asking"));
        admin = closed(HttpsClient.of(pki, "admin"));
        zoe = closed(HttpsClient.of(pki, "zoe"));
        toRoles = closed(InterruptibleProxy.create());
        toDecider = closed(InterruptibleProxy.create());
        faults = new FaultInjector(SEED);
        URI issuer = URI.create("https://localhost:" + toRoles.port());
        roles = started(
                "io.plat.apiserver.ApiServerProgram",
                new Object[0],
                pki,
                "--storage-backend=etcd3",
                "--etcd-servers=" + etcd.url(),
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                "--service-account-issuer=" + issuer,
                "--authorization-mode=RBAC");
        toRoles.connect(roles.getPort());
        created(
                RBAC + "clusterroles",
                "{\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"verbs\":[\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]}");
        created(
                RBAC + "clusterrolebindings",
                "{\"metadata\":{\"name\":\"issuer\"},\"subjects\":[{\"kind\":\"Group\",\"name\":\"system:unauthenticated\",\"apiGroup\":\"rbac.authorization.k8s.io\"}],"
                        + "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"system:service-account-issuer-discovery\"}}");
        Path candidate = Files.writeString(directory.resolve("candidate.jsonl"), "{\"user\":\"nobody\"}\n");
        decider = started(
                "io.plat.decider.DeciderProgram",
                new Object[] {"test"},
                pki,
                "--allowed-client-names=*",
                "--authorization-mode=RBAC",
                "--candidate-policy-file=" + candidate,
                "--authorization-rbac-kubeconfig=" + ClientFiles.write(pki, "follow.conf", issuer, "admin"));
        toDecider.connect(decider.getPort());
        URI reviewUrl = URI.create("https://localhost:" + toDecider.port() + "/authorize");
        delegating = started(
                "io.plat.apiserver.ApiServerProgram",
                new Object[0],
                pki,
                "--data-dir=" + directory.resolve("asking"),
                "--authorization-mode=Webhook",
                "--runtime-config=authorization.plat.io/v1beta1=true",
                "--authorization-webhook-config-file=" + ClientFiles.write(pki, "webhook.conf", reviewUrl, "asking"),
                "--oidc-issuer-url=" + issuer,
                "--oidc-client-id=me",
                "--oidc-ca-file=" + pki.file("ca.crt"));
    }

    @AfterAll
    static void stop() throws Exception {
        while (!CLOSED.isEmpty()) {
            CLOSED.pop().close();
        }
    }

    private static <T extends AutoCloseable> T closed(T result) {
        CLOSED.push(result);
        return result;
    }

    /** Starts a server in this process with a command line; returns its address. */
    private static URI started(String program, Object[] version, TestPki pki, String... flags) throws Exception {
        Constructor<?> constructor = Class.forName(program)
                .getDeclaredConstructor(Stream.of(version).map(Object::getClass).toArray(Class[]::new));
        constructor.setAccessible(true);
        ServerProgram server = (ServerProgram) constructor.newInstance(version);
        List<String> all = new ArrayList<>(pki.serverFlags());
        all.add("--secure-port=0");
        all.addAll(List.of(flags));
        var run = (FlagSet.Request.Run) server.flags().parse(all.toArray(String[]::new));
        ServerProgram.Running running = server.start(run.values());
        closed(running::stop);
        running.announced();
        return URI.create(running.url());
    }

    private static void created(String path, String body) throws IOException {
        assertThat(admin.post(roles.resolve(path), body).statusCode()).isEqualTo(201);
    }

    private static ConditionFactory await() {
        return with().pollInterval(Duration.ofMillis(20)).await().atMost(Duration.ofSeconds(30));
    }

    private static int code(HttpsClient client, URI server, String path) throws IOException {
        return client.get(server.resolve(path)).statusCode();
    }

    private static void cutLines() {
        List.of(toRoles, toDecider).forEach(InterruptibleProxy::cut);
        toRoles.connect(roles.getPort());
        toDecider.connect(decider.getPort());
    }

    @Test
    void loopsRecoverFromFaultsAndRoleChangesTakeEffect() throws IOException {
        await().until(() -> code(admin, decider, "/readyz") == 200 && code(zoe, delegating, MAPS) == 403);
        await().until(() -> faults.running().containsAll(REMOTE));
        for (String loop : new TreeSet<>(REMOTE)) {
            long before = FaultInjector.restarts(loop);
            faults.injectFault(loop);
            if (loop.startsWith("follow-") || BLOCKING.contains(loop)) {
                cutLines();
            }
            await().alias(loop).until(() -> {
                code(zoe, delegating, MAPS);
                admin.post(roles.resolve(MAPS), "{\"metadata\":{\"generateName\":\"m\"}}");
                return FaultInjector.restarts(loop) > before;
            });
            // A fault between a write and its effect adds a moment.
            faults.injectFault(loop);
            created(
                    RBAC + "clusterrolebindings",
                    "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"zoe\",\"apiGroup\":\"rbac.authorization.k8s.io\"}],"
                            + "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"reader\"}}");
            // The server with the role objects acknowledged the change.
            assertThat(code(zoe, roles, MAPS)).as(loop).isEqualTo(200);
            await().alias(loop).until(() -> code(zoe, delegating, MAPS) == 200);
            assertThat(admin.send("DELETE", roles.resolve(RBAC + "clusterrolebindings/b"), null)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(code(zoe, roles, MAPS)).as(loop).isEqualTo(403);
            await().alias(loop).until(() -> code(zoe, delegating, MAPS) == 403);
            for (URI server : List.of(roles, decider, delegating)) {
                await().alias(loop).until(() -> code(admin, server, "/readyz") == 200);
            }
            assertThat(admin.get(delegating.resolve("/metrics")).body())
                    .containsPattern("background_loop_restarts_total\\{loop=\"" + loop + "\"} [1-9]");
        }
    }

    /** Every loop in the sources runs here, or is listed above: a new one needs a fault of its own. */
    @Test
    void everyLoopIsCovered() throws IOException {
        Pattern loop = Pattern.compile("BackgroundLoop\\.(?:platform|virtual)\\(\\s*\"([^\"]+)\"");
        Set<String> named = new TreeSet<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Checkout.path(module + "/src/main/java"))) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    loop.matcher(Files.readString(file)).results().forEach(found -> named.add(found.group(1)));
                }
            }
        }
        assertThat(named).hasSizeGreaterThan(20);
        named.removeAll(OTHER);
        Set<String> running = faults.running();
        assertThat(named)
                .allSatisfy(name -> assertThat(running)
                        .anySatisfy(one -> assertThat(name.endsWith("-") ? one.startsWith(name) : one.equals(name))
                                .isTrue()));
    }
}
