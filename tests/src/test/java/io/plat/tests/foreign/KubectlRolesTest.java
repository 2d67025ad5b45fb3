package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Directories;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Role commands of stock kubectl: creates each kind, reconciles files, and shows denials. */
class KubectlRolesTest {
    private static TestPki pki;
    private static Path data;
    private static RunningServer server;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        pki = TestPki.create().client("admin", "system:masters").client("alice");
        data = Files.createTempDirectory("plat-data");
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--authorization-mode=RBAC",
                "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                "--data-dir=" + data));
        server = RunningServer.startReused(Program.APISERVER_LITE, flags);
        for (String user : List.of("admin", "alice")) {
            ClientFiles.write(pki, user + ".conf", server.at(""), user);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            Directories.delete(data);
            pki.close();
        }
    }

    private static CompletedProcess kubectl(String user, String line) {
        return Command.of("kubectl", "--kubeconfig", pki.file(user + ".conf"))
                .with("-n", "default")
                .with(line.split(" ", -1))
                .withEnvironment("HOME", home.toString())
                .run();
    }

    private static String output(String user, String line) {
        CompletedProcess finished = kubectl(user, line);
        assertThat(finished.exitStatus()).as(line + ": " + finished.err()).isZero();
        // Reconciling reports additions on stderr.
        return finished.out() + finished.err();
    }

    @Test
    void rolesAndBindingsAreCreated() {
        assertThat(output("admin", "create role reader --verb=get,list --resource=pods,pods/log --resource-name=web"))
                .isEqualTo("role.rbac.authorization.k8s.io/reader created\n");
        assertThat(output(
                        "admin",
                        "create clusterrole nodes --verb=get --resource=leases.coordination.k8s.io,configmaps"))
                .isEqualTo("clusterrole.rbac.authorization.k8s.io/nodes created\n");
        assertThat(output("admin", "create clusterrole paths --verb=get --non-resource-url=/logs/*"))
                .isEqualTo("clusterrole.rbac.authorization.k8s.io/paths created\n");
        assertThat(output("admin", "create clusterrole all --aggregation-rule=gather=yes"))
                .isEqualTo("clusterrole.rbac.authorization.k8s.io/all created\n");
        assertThat(output(
                        "admin",
                        "create rolebinding readers --role=reader --user=bob --group=g --serviceaccount=default:sa"))
                .isEqualTo("rolebinding.rbac.authorization.k8s.io/readers created\n");
        assertThat(output("admin", "create clusterrolebinding nodes --clusterrole=nodes --user=bob"))
                .isEqualTo("clusterrolebinding.rbac.authorization.k8s.io/nodes created\n");
        assertThat(output("admin", "auth can-i get configmaps --as=bob")).isEqualTo("yes\n");
        assertThat(output("admin", "get rolebindings readers -o jsonpath={.subjects[*].name}"))
                .isEqualTo("bob g sa");
    }

    @Test
    void authReconcileAppliesAFile() throws IOException {
        Path file = Files.writeString(home.resolve("roles.yaml"), """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: kept, labels: {team: a}}
                rules:
                - {apiGroups: [""], resources: [pods], verbs: [get, list]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: kept}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kept}
                subjects:
                - {kind: User, name: carol, apiGroup: rbac.authorization.k8s.io}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: kept, namespace: default}
                rules:
                - {apiGroups: [""], resources: [secrets], verbs: [get]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: kept, namespace: default}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: kept}
                subjects:
                - {kind: ServiceAccount, name: default, namespace: default}
                """);
        String reconcile = "auth reconcile -f " + file;
        assertThat(output("admin", reconcile))
                .contains("clusterrole.rbac.authorization.k8s.io/kept reconciled")
                .contains("clusterrolebinding.rbac.authorization.k8s.io/kept reconciled")
                .contains("role.rbac.authorization.k8s.io/kept reconciled")
                .contains("rolebinding.rbac.authorization.k8s.io/kept reconciled");
        assertThat(output("admin", "auth can-i list pods --as=carol")).isEqualTo("yes\n");
        output("admin", "label clusterrole kept more=b");
        Files.writeString(
                file,
                Files.readString(file).replace("[get, list]", "[get, watch]").replace("name: carol", "name: dave"));
        assertThat(output("admin", reconcile)).contains("missing rules added", "missing subjects added");
        assertThat(output("admin", "auth can-i watch pods --as=carol")).isEqualTo("yes\n");
        assertThat(output("admin", "auth can-i list pods --as=dave")).isEqualTo("yes\n");
        output("admin", reconcile + " --remove-extra-permissions --remove-extra-subjects");
        assertThat(kubectl("admin", "auth can-i list pods --as=dave").out()).startsWith("no");
        assertThat(kubectl("admin", "auth can-i get pods --as=carol").out()).startsWith("no");
    }

    @Test
    void escalationIsDeniedWithTheMissingRules() {
        output("admin", "create rolebinding alice --clusterrole=admin --user=alice");
        assertThat(output("alice", "create rolebinding given --clusterrole=view --user=erin"))
                .isEqualTo("rolebinding.rbac.authorization.k8s.io/given created\n");
        CompletedProcess rejected =
                kubectl("alice", "create rolebinding more --clusterrole=cluster-admin --user=alice");
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.err())
                .contains("rolebindings.rbac.authorization.k8s.io \"more\" is forbidden: user \"alice\" (groups=[")
                .endsWith("""
                        is attempting to grant RBAC permissions not currently held:
                        {APIGroups:["*"], Resources:["*"], Verbs:["*"]}
                        {NonResourceURLs:["*"], Verbs:["*"]}
                        """);
    }
}
