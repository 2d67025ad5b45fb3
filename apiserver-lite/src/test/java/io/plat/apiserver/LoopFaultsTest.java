package io.plat.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.with;

import io.plat.apiserver.TestingClient.Answer;
import io.plat.process.FaultInjector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Faults in each background loop of a server, one after another. */
@Isolated("a fault is planted in every loop of a name")
class LoopFaultsTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String NOT_CURRENT = "authorization data is not current (component=roles)";
    private static final long SEED = Long.getLong("plat.seed", System.nanoTime());

    private static Path directory;

    private static FaultInjector faults;
    private static TestingApiServer server;
    private static TestingClient admin;
    private static TestingClient alice;
    private static int written;

    @BeforeAll
    static void start(@TempDir Path files) throws Exception {
        directory = files;
        System.out.println("faults in loops: -Dplat.seed=" + SEED);
        faults = new FaultInjector(SEED);
        Path lines = Files.writeString(directory.resolve("policy.jsonl"), "");
        Path audit = Files.writeString(
                directory.resolve("audit.yaml"),
                "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
        server = TestingApiServer.start(
                directory,
                "--authorization-mode=RBAC,ABAC",
                "--authorization-policy-file=" + lines,
                "--policy-reload=watch",
                "--audit-policy-file=" + audit,
                "--audit-log-path=" + directory.resolve("audit.log"),
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true");
        server.announced();
        admin = server.admin();
        alice = server.user("alice");
        created(
                RBAC + "clusterroles",
                "{\"metadata\":{\"name\":\"reader\"},\"rules\":[{\"verbs\":[\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"configmaps\"]}]}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void created(String path, String body) throws IOException {
        Answer answer = admin.post(path, body);
        assertThat(answer.code()).as(answer.body()).isEqualTo(201);
    }

    private static ConditionFactory await() {
        return with().pollInterval(Duration.ofMillis(20)).await().atMost(Duration.ofSeconds(30));
    }

    private static int code(TestingClient client, String path) throws IOException {
        return client.get(path).code();
    }

    /** Work for each loop. */
    private static void stir() throws IOException {
        created(MAPS, "{\"metadata\":{\"name\":\"m" + written++ + "\"}}");
        for (String file : new String[] {"policy.jsonl", "ca.crt", "server.crt"}) {
            if (Files.exists(directory.resolve(file))) {
                Path copy = Files.copy(
                        directory.resolve(file), directory.resolve("copy"), StandardCopyOption.REPLACE_EXISTING);
                Files.move(copy, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static void grant() throws IOException {
        created(
                RBAC + "clusterrolebindings",
                "{\"metadata\":{\"name\":\"b\"},\"subjects\":[{\"kind\":\"User\",\"name\":\"alice\",\"apiGroup\":\"rbac.authorization.k8s.io\"}],"
                        + "\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"reader\"}}");
    }

    @Test
    void loopsRecoverFromFaultsAndRoleChangesTakeEffectWithTheirResponses() throws IOException {
        Set<String> expected =
                Set.of("roles", "storage-announcer", "storage-writer", "definitions", "garbage", "stream-leases");
        Set<String> loops = await().until(faults::running, known -> known.containsAll(expected));
        for (String loop : loops) {
            long before = FaultInjector.restarts(loop);
            faults.injectFault(loop);
            await().alias(loop).until(() -> {
                stir();
                return FaultInjector.restarts(loop) > before;
            });
            await().alias(loop).until(() -> code(admin, "/readyz") == 200);
            // A fault between a write and its effect adds a moment.
            faults.injectFault(loop);
            grant();
            assertThat(code(alice, MAPS)).as(loop).isEqualTo(200);
            assertThat(admin.delete(RBAC + "clusterrolebindings/b").code()).isEqualTo(200);
            assertThat(code(alice, MAPS)).as(loop).isEqualTo(403);
            assertThat(admin.get("/metrics").body())
                    .containsPattern("background_loop_restarts_total\\{loop=\"" + loop + "\"} [1-9]");
        }
    }

    @Test
    void staleRolesDecideNothing() throws IOException {
        await().until(() -> code(alice, MAPS) == 403);
        for (String loop : Set.of("roles", "storage-announcer")) {
            faults.plantLasting(loop);
            if (loop.equals("storage-announcer")) {
                stir();
            }
            await().until(() -> code(alice, MAPS) == 500);
            assertThat(alice.get(MAPS).message()).contains(NOT_CURRENT);
            Answer ready = admin.get("/readyz");
            assertThat(ready.code()).isEqualTo(500);
            assertThat(ready.body()).contains("[-]roles failed");
            assertThat(admin.get("/readyz/roles").body()).contains(NOT_CURRENT);
            assertThat(code(admin, "/livez")).isEqualTo(200);
            await().until(() -> code(alice, MAPS) == 403);
            assertThat(code(admin, "/readyz")).isEqualTo(200);
        }
    }
}
