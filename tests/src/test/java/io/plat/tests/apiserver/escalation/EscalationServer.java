package io.plat.tests.apiserver.escalation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.Directories;
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
import java.util.Arrays;
import java.util.List;

/**
 * A server process whose clients are identified by tokens, in one authorization mode; all users have the permission to write role objects.
 */
final class EscalationServer implements AutoCloseable {
    private final TestPki pki;
    private final Path directory;
    private final RunningServer server;
    private final HttpsClient anybody;
    private final HttpsClient admin;

    private EscalationServer(TestPki pki, Path directory, RunningServer server) {
        this.pki = pki;
        this.directory = directory;
        this.server = server;
        this.anybody = HttpsClient.of(pki, null);
        this.admin = HttpsClient.of(pki, "admin");
    }

    /**
     * Starts a server.
     *
     * @param mode {@code RBAC} or another mode
     * @param tokens lines of the token file
     */
    static EscalationServer start(String mode, List<String> tokens, String... more) {
        try {
            TestPki pki = TestPki.create().client("admin", "system:masters");
            Path directory = Files.createTempDirectory("plat-escalation");
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    // Default permissions would be held in every case.
                    "--authorization-rbac-default-roles=false",
                    "--authorization-mode=" + mode,
                    "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                    "--token-auth-file=" + Files.write(directory.resolve("tokens.csv"), tokens),
                    "--data-dir=" + directory.resolve("data")));
            if (mode.equals("RBAC")) {
                flags.add("--authorization-rbac-super-user=root");
            }
            flags.addAll(Arrays.asList(more));
            EscalationServer started =
                    new EscalationServer(pki, directory, RunningServer.startReused(Program.APISERVER_LITE, flags));
            started.letEverybodyWrite();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The permission to write role objects does not imply the permission to grant their rules. */
    private void letEverybodyWrite() {
        RoleTexts texts = RoleTexts.ofKubernetes();
        ObjectNode role = texts.object("clusterrole", "writers");
        role.set(
                "rules",
                texts.rules(List.of("create,update,patch,get,list,deletecollection rbac.authorization.k8s.io"
                        + " roles,clusterroles,rolebindings,clusterrolebindings")));
        make("clusterrole", "", role);
        ObjectNode binding = texts.object("clusterrolebinding", "writers");
        binding.set("subjects", texts.subjects("Group", "system:authenticated"));
        binding.set("roleRef", texts.roleRef("clusterrole", "writers", ""));
        make("clusterrolebinding", "", binding);
    }

    /** Creates a namespace as the administrator. */
    void makeNamespace(String name) {
        made(admin("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}"));
    }

    /** Creates a role object as the administrator. */
    void make(String kind, String namespace, JsonNode object) {
        made(admin("POST", RoleTexts.ofKubernetes().path(kind, namespace), object.toString()));
    }

    private static void made(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** Sends a request as the administrator. */
    HttpResponse<String> admin(String method, String path, String json) {
        try {
            return admin.send(method, server.at(path), "application/json", json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request as the user of a token. */
    HttpResponse<String> as(String token, String method, String path, String type, String body) {
        try {
            return anybody.withHeader("Authorization", "Bearer " + token).send(method, server.at(path), type, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        anybody.close();
        admin.close();
        server.close();
        Directories.delete(directory);
        pki.close();
    }
}
