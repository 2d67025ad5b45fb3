package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An update that creates requires the permission to create; the permission to update only allows changes of existing objects. */
class CreationByUpdateTest {
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/";
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/";

    private static String lease(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"holderIdentity\":\"first\"}}";
    }

    @Test
    void updatePermissionDoesNotAllowCreation() throws IOException {
        Path data = Files.createTempDirectory("plat-data");
        try (TestPki pki =
                TestPki.create().client("admin", "system:masters").client("bob").client("carol")) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--authorization-mode=RBAC",
                    "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                    "--data-dir=" + data));
            try (RunningServer server = RunningServer.startReused(Program.APISERVER_LITE, flags);
                    HttpsClient admin = HttpsClient.of(pki, "admin");
                    HttpsClient bob = HttpsClient.of(pki, "bob");
                    HttpsClient carol = HttpsClient.of(pki, "carol")) {
                allow(admin, server, "bob", "[\"get\",\"update\"]");
                allow(admin, server, "carol", "[\"create\",\"update\"]");
                assertThat(bob.send("PUT", server.at(LEASE + "a"), lease("a")).statusCode())
                        .isEqualTo(403);
                assertThat(bob.send("PUT", server.at(LEASE + "a?dryRun=All"), lease("a"))
                                .body())
                        .contains("cannot create resource \\\"leases\\\"");
                assertThat(admin.get(server.at(LEASE + "a")).statusCode()).isEqualTo(404);
                assertThat(carol.send("PUT", server.at(LEASE + "a"), lease("a")).statusCode())
                        .isEqualTo(201);
                String created = admin.get(server.at(LEASE + "a")).body().replace("\"first\"", "\"second\"");
                assertThat(bob.send("PUT", server.at(LEASE + "a"), created).statusCode())
                        .isEqualTo(200);
            }
        } finally {
            Directories.delete(data);
        }
    }

    private static void allow(HttpsClient admin, RunningServer server, String user, String verbs) throws IOException {
        String role = """
                {"metadata":{"name":"%s"},"rules":[{"apiGroups":["coordination.k8s.io"],"resources":["leases"],"verbs":%s}]}""".formatted(user, verbs);
        String binding = """
                {"metadata":{"name":"%1$s"},"subjects":[{"kind":"User","name":"%1$s","apiGroup":"rbac.authorization.k8s.io"}],
                 "roleRef":{"kind":"Role","name":"%1$s","apiGroup":"rbac.authorization.k8s.io"}}""".formatted(user);
        assertThat(admin.post(server.at(RBAC + "roles"), role).statusCode()).isEqualTo(201);
        assertThat(admin.post(server.at(RBAC + "rolebindings"), binding).statusCode())
                .isEqualTo(201);
    }
}
