package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads with stock kubectl, in each of its output formats. */
class KubectlReadsTest {
    private static final String OBJECTS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: web, labels: {app: web}, annotations: {note: hello}}
            data: {colour: blue, size: large}
            ---
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: db, labels: {app: db}}
            data: {colour: amber}
            ---
            apiVersion: v1
            kind: Secret
            metadata: {name: key}
            type: Opaque
            stringData: {password: swordfish}
            ---
            apiVersion: v1
            kind: Service
            metadata: {name: web}
            spec: {ports: [{port: 80, targetPort: http}], selector: {app: web}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web-0, labels: {app: web}}
            spec: {containers: [{name: web, image: "registry.example/web:1", ports: [{containerPort: 80, name: http}]}]}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: readers}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
            subjects: [{kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}]
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: lock}
            spec: {holderIdentity: somebody, leaseDurationSeconds: 15}
            ---
            apiVersion: v1
            kind: Event
            metadata: {name: noted}
            type: Warning
            reason: Noted
            message: somebody looked
            involvedObject: {apiVersion: v1, kind: Pod, name: web-0, namespace: reads}
            """;

    private static StandaloneServer server;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        server = StandaloneServer.start();
        assertThat(kubectl("create", "namespace", "reads").err()).isEmpty();
        Path file = Files.writeString(home.resolve("objects.yaml"), OBJECTS);
        CompletedProcess created = kubectl("-n", "reads", "create", "-f", file.toString());
        assertThat(created.err()).isEmpty();
        assertThat(created.out().lines()).hasSize(9);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static CompletedProcess kubectl(String... arguments) {
        return Command.of("kubectl", "--kubeconfig", server.clientFile().toString())
                .with(arguments)
                .withEnvironment("HOME", home.toString())
                .run();
    }

    /** Columns: command line in namespace {@code reads}, and a pattern for the whole output, in which a blank matches several. */
    @ParameterizedTest(name = "kubectl {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            get cm web -o name                                                  | configmap/web\\n
            get cm web -o jsonpath={.data.colour}/{.metadata.labels.app}        | blue/web
            get cm -o jsonpath={.items[*].data.colour} --sort-by=.metadata.name | amber blue
            get cm web -o go-template={{.data.size}}                            | large
            get cm -l app=web -o name                                           | configmap/web\\n
            get cm -l app!=web -o name                                          | configmap/db\\n
            get cm -l app+in+(web,db),app+notin+(db) -o name                    | configmap/web\\n
            get cm --field-selector=metadata.name=db -o name                    | configmap/db\\n
            get cm -o custom-columns=N:.metadata.name,C:.data.colour            | N C\\ndb amber\\nweb blue\\n
            get cm -o custom-columns=N:.metadata.name --no-headers              | db\\nweb\\n
            get cm -L app                                                       | NAME DATA AGE APP\\ndb 1 [0-9]+s db\\nweb 2 [0-9]+s web\\n
            get cm --show-labels web                                            | NAME DATA AGE LABELS\\nweb 2 [0-9]+s app=web\\n
            get svc,pods -o name                                                | service/web\\npod/web-0\\n
            get svc web -o wide                                                 | NAME TYPE CLUSTER-IP EXTERNAL-IP PORT\\(S\\) AGE SELECTOR\\nweb ClusterIP \\S+ <none> 80/TCP [0-9]+s app=web\\n
            get pods --field-selector=status.phase=Pending -o name              | pod/web-0\\n
            get rolebindings -o wide                                            | NAME ROLE AGE USERS GROUPS SERVICEACCOUNTS\\nreaders Role/reader [0-9]+s alice ?\\n
            get leases                                                          | NAME HOLDER AGE\\nlock somebody [0-9]+s\\n
            get sa                                                              | NAME AGE\\ndefault [0-9]+s\\n
            get events -o custom-columns=R:.reason,O:.involvedObject.name       | R O\\nNoted web-0\\n
            events --types=Warning --no-headers                                 | \\S+ Warning Noted Pod/web-0 somebody looked\\n
            events --for=pod/web-0 --no-headers                                 | \\S+ Warning Noted Pod/web-0 somebody looked\\n
            get ns reads --no-headers                                           | reads Active [0-9]+s\\n
            get cm --ignore-not-found nobody                                    | ``
            get cm -A --field-selector=metadata.namespace=reads -o name         | configmap/db\\nconfigmap/web\\n
            get --raw /api/v1/namespaces/reads/configmaps/web?pretty=0          | \\{"kind":"ConfigMap","apiVersion":"v1".*"colour":"blue".*\\}
            get --raw /readyz                                                   | ok
            get --raw /version                                                  | (?s).*"minor": ?"32".*
            wait --for=create cm/web --timeout=20s                              | configmap/web condition met\\n
            wait --for=jsonpath={.status.phase}=Pending pod/web-0 --timeout=20s | pod/web-0 condition met\\n
            auth whoami -o jsonpath={.status.userInfo.username}                 | admin
            """)
    void prints(String line, String pattern) {
        String[] words = ("-n reads " + line).split(" ");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace('+', ' ');
        }
        CompletedProcess result = kubectl(words);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitStatus()).isZero();
        assertThat(result.out().replaceAll(" +", " ").replaceAll(" \n", "\n")).matches(pattern);
    }

    /** Words that each description must contain. */
    @ParameterizedTest(name = "kubectl describe {0}")
    @CsvSource(delimiter = '|', textBlock = """
            cm web             | Name:,Labels:,app=web,Annotations:,note: hello,colour:,blue
            secret key         | Type:  Opaque,password:  9 bytes
            svc web            | Selector:,app=web,Port:,80/TCP,TargetPort:,http/TCP
            pod web-0          | Status:           Pending,Image:,registry.example/web:1,Events:
            role reader        | PolicyRule:,pods,[get list]
            rolebinding readers| Role:,Kind:  Role,Name:  reader,Subjects:,User,alice
            lease lock         | Spec:,Holder Identity:,somebody
            sa default         | Name:                default,Events:              <none>
            ns reads           | Name:         reads,Status:       Active
            """)
    void describes(String named, String words) {
        CompletedProcess result = kubectl(("-n reads describe " + named.strip()).split(" +"));
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains(words.split(","));
    }

    @ParameterizedTest(name = "kubectl get -o {0}")
    @ValueSource(strings = {"yaml", "json"})
    void outputCanBeRecreated(String form) {
        CompletedProcess printed = kubectl("-n", "reads", "get", "cm", "web", "-o", form);
        assertThat(printed.out()).contains("colour", "resourceVersion", "uid");
        Path file = home.resolve("again." + form);
        CompletedProcess replaced;
        try {
            Files.writeString(file, printed.out().replace("blue", "green-" + form));
            replaced = kubectl("-n", "reads", "replace", "-f", file.toString());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(replaced.err()).isEmpty();
        assertThat(kubectl("-n", "reads", "get", "cm", "web", "-o", "jsonpath={.data.colour}")
                        .out())
                .isEqualTo("green-" + form);
        CompletedProcess back =
                kubectl("-n", "reads", "patch", "cm", "web", "--type=merge", "-p", "{\"data\":{\"colour\":\"blue\"}}");
        assertThat(back.err()).isEmpty();
    }

    @Test
    void rawRequestsCanWrite() throws IOException {
        String maps = "/api/v1/namespaces/reads/configmaps";
        Path file = Files.writeString(
                home.resolve("raw.json"),
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"raw\",\"labels\":{\"raw\":\"1\"}},"
                        + "\"data\":{\"a\":\"1\"}}");
        assertThat(kubectl("create", "--raw", maps, "-f", file.toString()).out())
                .contains("\"name\":\"raw\"");
        Files.writeString(file, Files.readString(file).replace("\"a\":\"1\"", "\"a\":\"2\""));
        assertThat(kubectl("replace", "--raw", maps + "/raw", "-f", file.toString())
                        .out())
                .contains("\"a\":\"2\"");
        assertThat(kubectl("get", "--raw", maps + "?labelSelector=raw%3D1&limit=1")
                        .out())
                .contains("\"kind\":\"ConfigMapList\"", "\"a\":\"2\"");
        assertThat(kubectl("delete", "--raw", maps + "/raw").out()).contains("\"status\":\"Success\"");
        CompletedProcess deleted = kubectl("get", "--raw", maps + "/raw");
        assertThat(deleted.exitStatus()).isEqualTo(1);
        assertThat(deleted.err()).isEqualTo("Error from server (NotFound): configmaps \"raw\" not found\n");
    }

    @Test
    void explainsTypesAndFields() {
        assertThat(kubectl("explain", "pods.spec.containers.image").out())
                .contains("KIND:       Pod", "VERSION:    v1", "FIELD: image <string>");
        assertThat(kubectl("explain", "rolebindings", "--recursive").out())
                .contains(
                        "GROUP:      rbac.authorization.k8s.io",
                        "KIND:       RoleBinding",
                        "roleRef\t<RoleRef> -required-");
        CompletedProcess unknown = kubectl("explain", "pods.nothing");
        assertThat(unknown.exitStatus()).isEqualTo(1);
        assertThat(unknown.err()).contains("field \"nothing\" does not exist");
    }

    @Test
    void listsServedTypes() {
        assertThat(kubectl("api-versions").out().lines().toList())
                .contains("v1", "rbac.authorization.k8s.io/v1", "coordination.k8s.io/v1", "authorization.k8s.io/v1");
        assertThat(kubectl("api-resources", "--namespaced=false", "-o", "name")
                        .out()
                        .lines()
                        .toList())
                .contains("namespaces", "clusterroles.rbac.authorization.k8s.io")
                .doesNotContain("configmaps");
        assertThat(kubectl("api-resources", "--verbs=watch", "--api-group=", "--no-headers")
                        .out()
                        .lines())
                .anyMatch(line -> line.matches("configmaps +cm +v1 +true +ConfigMap"));
        assertThat(kubectl("cluster-info").out()).contains("is running at");
        List<String> all =
                kubectl("-n", "reads", "get", "all", "-o", "name").out().lines().toList();
        assertThat(all).contains("pod/web-0", "service/web");
    }
}
