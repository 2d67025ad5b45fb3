package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes with stock kubectl: create, replace, patch, label, annotate, delete with each cascade, and wait. */
class KubectlWritesTest {
    private static DelegatingSystem system;

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        system = DelegatingSystem.start();
        assertThat(kubectl("create", "namespace", "work").err()).isEmpty();
    }

    @AfterAll
    static void stop() {
        if (system != null) {
            system.close();
        }
    }

    private static CompletedProcess kubectl(String... arguments) {
        return Command.of("kubectl", "--kubeconfig", system.clientFile("admin").toString())
                .with(arguments)
                .withEnvironment("HOME", home.toString())
                .run();
    }

    /** Runs a command line in namespace {@code work}, split at blanks. */
    private static CompletedProcess work(String line) {
        return kubectl(("-n work " + line).split(" "));
    }

    private static Path file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content);
    }

    private static String field(String object, String path) {
        return work("get configmap " + object + " -o jsonpath={" + path + "}").out();
    }

    @ParameterizedTest(name = "kubectl {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            label configmap NAME team=a                                             | configmap/NAME labeled    | .metadata.labels.team       | a
            label configmap NAME tier=front --overwrite                             | configmap/NAME labeled    | .metadata.labels.tier       | front
            label configmap NAME tier-                                              | configmap/NAME unlabeled  | .metadata.labels.tier       | ``
            annotate configmap NAME note=hello                                      | configmap/NAME annotated  | .metadata.annotations.note  | hello
            annotate configmap NAME note-                                           | configmap/NAME annotated  | .metadata.annotations.note  | ``
            patch configmap NAME --type=merge -p {"data":{"b":"2"}}                 | configmap/NAME patched    | .data.b                     | 2
            patch configmap NAME --type=merge -p {"data":{"a":null}}                | configmap/NAME patched    | .data.a                     | ``
            patch configmap NAME --type=merge -p {}                                 | configmap/NAME patched (no change) | .data.a            | 1
            patch configmap NAME -p {"data":{"b":"2"}}                              | configmap/NAME patched    | .data.b                     | 2
            patch configmap NAME -p {"data":{"$patch":"replace","z":"9"}}           | configmap/NAME patched    | .data.a                     | ``
            patch configmap NAME --type=json -p [{"op":"add","path":"/data/c","value":"3"}] | configmap/NAME patched | .data.c                | 3
            patch configmap NAME --type=merge -p {"data":{"d":"4"}} --dry-run=server | configmap/NAME patched   | .data.d                     | ``
            """)
    void changesAreAppliedAndReported(String line, String expected, String path, String value) {
        String name = "c" + Integer.toHexString(line.hashCode());
        assertThat(work("create configmap " + name + " --from-literal=a=1").err())
                .isEmpty();
        assertThat(work("label configmap " + name + " tier=back").err()).isEmpty();
        CompletedProcess result = work(line.replace("NAME", name));
        assertThat(result.err()).isEmpty();
        assertThat(result.out().strip())
                .startsWith(expected.replace("NAME", name).strip());
        assertThat(field(name, path)).isEqualTo(value);
    }

    @ParameterizedTest(name = "kubectl {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            patch configmap refused --type=json -p [{"op":"test","path":"/data/a","value":"9"}]  | The request is invalid: the server rejected our request due to an error in our request
            patch configmap refused --type=merge -p {"metadata":{"resourceVersion":"1"}} | Error from server (Conflict): Operation cannot be fulfilled on configmaps "refused": the object has been modified; please apply your changes to the latest version and try again
            patch configmap refused --type=merge -p {"data":{"a!b":"1"}}               | The ConfigMap "refused" is invalid: data[a!b]: Invalid value: "a!b"
            patch configmap nobody --type=merge -p {}                                  | Error from server (NotFound): configmaps "nobody" not found
            label configmap refused team=a!b                                           | error: invalid label value
            create configmap refused                                                   | error: failed to create configmap: configmaps "refused" already exists
            delete configmap nobody                                                    | Error from server (NotFound): configmaps "nobody" not found
            delete -v=0 ns/kube-system                                                 | Error from server (Forbidden): namespaces "kube-system" is forbidden: this namespace may not be deleted
            """)
    void denialsReadLikeKubeApiserver(String line, String expected) {
        kubectl("-n", "work", "create", "configmap", "refused", "--from-literal=a=1");
        CompletedProcess rejected = work(line);
        assertThat(rejected.exitStatus()).isEqualTo(1);
        assertThat(rejected.err()).contains(expected);
    }

    @Test
    void replacesFromAFile() throws IOException {
        Path first = file("replaced.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: replaced}
                data: {k: one}
                """);
        assertThat(work("create -f " + first).out()).contains("configmap/replaced created");
        String uid = field("replaced", ".metadata.uid");
        file("replaced.yaml", Files.readString(first).replace("one", "two"));
        assertThat(work("replace -f " + first).out()).contains("configmap/replaced replaced");
        assertThat(field("replaced", ".data.k")).isEqualTo("two");
        assertThat(field("replaced", ".metadata.uid")).isEqualTo(uid);
        CompletedProcess stale = work("replace -f "
                + file(
                        "stale.yaml",
                        Files.readString(first)
                                .replace("{name: replaced}", "{name: replaced, resourceVersion: \"1\"}")));
        assertThat(stale.err()).contains("(Conflict)", "the object has been modified");
    }

    @Test
    void forcedReplaceCreatesANewObject() throws IOException {
        Path file = file("forced.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: forced}\n");
        assertThat(work("create -f " + file).err()).isEmpty();
        String uid = field("forced", ".metadata.uid");
        assertThat(work("replace --force -f " + file).out())
                .contains("\"forced\" deleted", "configmap/forced replaced");
        assertThat(field("forced", ".metadata.uid")).isNotEmpty().isNotEqualTo(uid);
    }

    @Test
    void waitAndDeleteReportCompletion() {
        assertThat(work("create configmap awaited --from-literal=k=v").err()).isEmpty();
        assertThat(work("wait configmap/awaited --for=jsonpath={.data.k}=v --timeout=30s")
                        .out())
                .contains("configmap/awaited condition met");
        assertThat(work("delete configmap awaited --timeout=30s").out()).contains("configmap \"awaited\" deleted");
        assertThat(work("wait configmap/awaited --for=delete --timeout=30s").exitStatus())
                .isZero();
        assertThat(kubectl("create", "namespace", "passing").err()).isEmpty();
        assertThat(kubectl("delete", "namespace", "passing", "--timeout=30s").out())
                .contains("namespace \"passing\" deleted");
        assertThat(kubectl("get", "namespace", "passing").err()).contains("(NotFound)");
    }

    private static void ownerAndDependent(String name) throws IOException {
        assertThat(work("create configmap " + name).err()).isEmpty();
        Path dependent = file(name + ".yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: of-%1$s
                  ownerReferences:
                  - {apiVersion: v1, kind: ConfigMap, name: %1$s, uid: %2$s, blockOwnerDeletion: true}
                """.formatted(name, field(name, ".metadata.uid")));
        assertThat(work("create -f " + dependent).err()).isEmpty();
    }

    @ParameterizedTest(name = "kubectl delete --cascade={0}")
    @CsvSource({"background, NotFound", "foreground, NotFound", "orphan, of-orphan"})
    void cascadeOptionsAreHonoured(String cascade, String afterwards) throws IOException {
        ownerAndDependent(cascade);
        CompletedProcess deleted = work("delete configmap " + cascade + " --timeout=30s --cascade=" + cascade);
        assertThat(deleted.out()).contains("configmap \"" + cascade + "\" deleted");
        assertThat(work("get configmap " + cascade).err()).contains("NotFound");
        await().until(() -> {
            CompletedProcess got = work("get configmap of-" + cascade + " -o name");
            return (got.out() + got.err()).contains(afterwards);
        });
        if (cascade.equals("orphan")) {
            assertThat(field("of-orphan", ".metadata.ownerReferences")).isEmpty();
        }
    }

    @Test
    void podIsDeletedDespiteItsGracePeriod() throws IOException {
        Path pod = file("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: graceful}
                spec:
                  nodeName: nowhere
                  terminationGracePeriodSeconds: 3600
                  containers:
                  - {name: c, image: registry.example/c:1}
                """);
        for (String how : new String[] {"", " --grace-period=0 --force", " --now"}) {
            assertThat(work("create -f " + pod).err()).isEmpty();
            assertThat(work("delete pod graceful --wait=false" + how).out()).contains("pod \"graceful\"");
            assertThat(work("get pod graceful").err()).contains("NotFound");
        }
    }

    @Test
    void dryRunDeletesNothing() {
        assertThat(work("create configmap tried").err()).isEmpty();
        assertThat(work("delete configmap tried --dry-run=server").out()).contains("deleted (server dry run)");
        assertThat(work("get configmap tried -o name").out()).contains("configmap/tried");
    }

    @Test
    void manyAreDeletedAtOnce() {
        for (int i = 0; i < 3; i++) {
            assertThat(work("create configmap many-" + i).err()).isEmpty();
            assertThat(work("label configmap many-" + i + " set=many").err()).isEmpty();
        }
        assertThat(work("delete configmaps -l set=many --wait=false").out().lines())
                .hasSize(3);
        assertThat(work("get configmaps -l set=many").err()).contains("No resources found");
        CompletedProcess raw =
                kubectl("delete", "--raw", "/api/v1/namespaces/work/configmaps?labelSelector=set%3Dmany");
        assertThat(raw.out()).contains("ConfigMapList");
    }
}
