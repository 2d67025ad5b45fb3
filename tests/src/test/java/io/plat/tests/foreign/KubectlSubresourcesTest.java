package io.plat.tests.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.StandaloneServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Subresources with stock kubectl: scales, evictions, ephemeral containers, logs. */
class KubectlSubresourcesTest {
    private static StandaloneServer server;
    private static Path logs = Path.of("");

    @TempDir
    private static Path home = Path.of("");

    @BeforeAll
    static void start() throws IOException {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        logs = Files.createDirectory(home.resolve("logs"));
        server = StandaloneServer.startWithRoles("--pod-log-dir=" + logs);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Runs a command line, split at blanks. */
    private static CompletedProcess kubectl(String line) {
        return Command.of("kubectl", "--kubeconfig", server.clientFile().toString(), "-n", "default")
                .with(line.split(" "))
                .withEnvironment("HOME", home.toString())
                .run();
    }

    private static String out(String line) {
        CompletedProcess result = kubectl(line);
        assertThat(result.err()).isEmpty();
        return result.out().strip();
    }

    private static String file(String name, String content) throws IOException {
        return Files.writeString(home.resolve(name), content).toString();
    }

    @Test
    void deploymentIsScaled() {
        out("create deployment web --image=nginx:1 --replicas=2");
        assertThat(out("scale deployment web --replicas=5")).isEqualTo("deployment.apps/web scaled");
        assertThat(out("scale deployment web --current-replicas=5 --replicas=6"))
                .isEqualTo("deployment.apps/web scaled");
        assertThat(kubectl("scale deployment web --current-replicas=5 --replicas=7")
                        .err())
                .contains("Expected replicas to be 5, was 6");
        assertThat(out("get deployment web --subresource=scale -o jsonpath={.spec.replicas}{.status.selector}"))
                .isEqualTo("6app=web");
        assertThat(out("autoscale deployment web --max=4")).contains("autoscaled");
        assertThat(kubectl("get deployment web --subresource=scale").out()).contains("DESIRED");
    }

    /** Permission to scale does not require permission to update the object. */
    @Test
    void scaleSubresourceIsAuthorizedSeparately() {
        out("create deployment held --image=nginx:1");
        out("create role scaler --verb=get,patch --resource=deployments/scale");
        out("create rolebinding scaler --role=scaler --user=sue");
        assertThat(
                        out(
                                "patch deployment held --subresource=scale --type=merge -p {\"spec\":{\"replicas\":3}} --as sue"))
                .isEqualTo("scale.autoscaling/held patched");
        assertThat(kubectl("patch deployment held --type=merge -p {\"spec\":{\"replicas\":4}} --as sue")
                        .err())
                .contains("cannot get resource \"deployments\" in API group \"apps\"");
    }

    @Test
    void customTypeIsScaled() throws IOException {
        out("create -f " + file("farms.yaml", """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: farms.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {plural: farms, kind: Farm}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    subresources: {scale: {specReplicasPath: .spec.cows, statusReplicasPath: .status.cows}}
                """));
        out("create -f "
                + file("farm.yaml", "apiVersion: example.com/v1\nkind: Farm\nmetadata: {name: f}\nspec: {cows: 2}\n"));
        assertThat(out("scale farms.example.com f --replicas=5")).isEqualTo("farm.example.com/f scaled");
        assertThat(out("get farms.example.com f -o jsonpath={.spec.cows}")).isEqualTo("5");
    }

    /** A pod without a node is deleted immediately; a running pod as its disruption budget permits. */
    @Test
    void podsAreBoundAndEvicted() throws IOException {
        out("run p --image=nginx:1 -l app=p");
        String binding =
                "{\"apiVersion\":\"v1\",\"kind\":\"Binding\",\"metadata\":{\"name\":\"p\"},\"target\":{\"name\":\"n\"}}";
        assertThat(out("create --raw /api/v1/namespaces/default/pods/p/binding -f " + file("binding.json", binding)))
                .contains("Success");
        assertThat(out("get pod p -o jsonpath={.spec.nodeName}")).isEqualTo("n");
        assertThat(kubectl("create --raw /api/v1/namespaces/default/bindings -f " + file("binding.json", binding))
                        .err())
                .contains("pod p is already assigned to node \"n\"");
        out("patch pod p --subresource=status --type=merge -p {\"status\":{\"phase\":\"Running\"}}");
        out("create poddisruptionbudget b --selector=app=p --min-available=1");
        String eviction = "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"p\"}}";
        String evict = "create --raw /api/v1/namespaces/default/pods/p/eviction -f " + file("eviction.json", eviction);
        assertThat(kubectl(evict).err()).contains("Cannot evict pod as it would violate the pod's disruption budget.");
        out("delete poddisruptionbudget b");
        assertThat(out(evict)).contains("Success");
        assertThat(kubectl("get pod p").err()).contains("not found");
    }

    @Test
    void debugAddsAnEphemeralContainer() {
        out("run q --image=nginx:1");
        assertThat(kubectl("debug q --image=busybox:1 --container=look --target=q")
                        .out())
                .contains("Targeting container \"q\"");
        assertThat(out("get pod q -o jsonpath={.spec.ephemeralContainers[*].name}"))
                .isEqualTo("look");
    }

    /** Writes a container log, in the layout of a container runtime. */
    private static Path writeLog(String pod, String container, String file, String... texts) throws IOException {
        String uid = out("get pod " + pod + " -o jsonpath={.metadata.uid}");
        Path directory = Files.createDirectories(
                logs.resolve("default_" + pod + "_" + uid).resolve(container));
        var lines = new StringBuilder();
        for (String text : texts) {
            lines.append("2024-01-01T00:00:00.5Z stdout F ").append(text).append('\n');
        }
        return Files.writeString(directory.resolve(file), lines);
    }

    @Test
    void logsAreShown() throws IOException {
        out("create -f " + file("talker.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: talker, labels: {app: talker}}
                spec:
                  initContainers: [{name: first, image: i}]
                  containers: [{name: a, image: i}, {name: b, image: i}]
                """));
        writeLog("talker", "a", "0.log", "before");
        writeLog("talker", "a", "1.log", "one", "two");
        writeLog("talker", "b", "0.log", "three");
        assertThat(out("logs talker -c a")).isEqualTo("one\ntwo");
        assertThat(out("logs talker -c a --tail=1 --timestamps")).isEqualTo("2024-01-01T00:00:00.500000000Z two");
        assertThat(out("logs talker -c a --previous")).isEqualTo("before");
        assertThat(out("logs talker -c a --since=1h")).isEmpty();
        assertThat(out("logs talker -c a --since-time=2023-12-31T00:00:00Z --limit-bytes=5"))
                .isEqualTo("one\nt");
        assertThat(kubectl("logs talker -c b --previous").err())
                .contains("previous terminated container \"b\" in pod \"talker\" not found");
        assertThat(out("logs -l app=talker -c b --prefix")).isEqualTo("[pod/talker/b] three");
        assertThat(kubectl("get --raw /api/v1/namespaces/default/pods/talker/log")
                        .err())
                .contains("a container name must be specified for pod talker, choose one of: [a b] or one of the init"
                        + " containers: [first]");
        assertThat(server.client()
                        .get(server.at("/api/v1/namespaces/default/pods/talker/log?container=first"))
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void logIsFollowedUntilThePodIsDeleted() throws IOException, InterruptedException {
        out("run followed --image=nginx:1");
        Path log = writeLog("followed", "followed", "0.log", "first");
        var request = HttpRequest.newBuilder(
                        server.at("/api/v1/namespaces/default/pods/followed/log?follow=true&tailLines=1"))
                .build();
        try (var text = new BufferedReader(new InputStreamReader(
                server.client()
                        .http()
                        .send(request, BodyHandlers.ofInputStream())
                        .body(),
                UTF_8))) {
            assertThat(text.readLine()).isEqualTo("first");
            Files.writeString(log, "2024-01-01T00:00:01Z stdout F later\n", StandardOpenOption.APPEND);
            assertThat(text.readLine()).isEqualTo("later");
            out("delete pod followed");
            assertThat(text.readLine()).isNull();
        }
    }

    /** A static pod of a node keeps the uid from the node, which is in the mirror pod's annotation. */
    @Test
    void mirrorPodShowsTheLogsOfItsStaticPod() throws IOException {
        out("create -f " + file("mirror.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: mirror, annotations: {kubernetes.io/config.mirror: 0a1b2c}}
                spec: {containers: [{name: own, image: i}]}
                """));
        Path directory = Files.createDirectories(logs.resolve("default_mirror_0a1b2c/own"));
        Files.writeString(directory.resolve("0.log"), "2024-01-01T00:00:00Z stdout F mirrored\n");
        assertThat(out("logs mirror")).isEqualTo("mirrored");
    }
}
