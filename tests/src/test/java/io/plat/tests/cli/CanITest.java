package io.plat.tests.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.Program;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code plat can-i} as a process: with an API server that delegates to a decider with the samples, and with the same files. The processes of
 * a table of requests share a JVM.
 */
@Order(1)
class CanITest {
    private static final int UNDETERMINED = 3;
    private static final int USAGE = 2;

    private static DelegatingSystem system;
    private static String samples;

    @TempDir
    Path directory = Path.of("");

    @BeforeAll
    static void start() {
        system = DelegatingSystem.start();
        samples = Checkout.path("conf/samples/rbac").toString();
    }

    @AfterAll
    static void stop() {
        system.close();
    }

    @ParameterizedTest(name = "{0} [{1}]: {2} -> {3}")
    @CsvSource(delimiter = '|', textBlock = """
            alice  | team-a-developers | get pods -n team-a                      | yes
            alice  | team-a-developers | get pods/log -n team-a                  | yes
            alice  | team-a-developers | get secrets/registry-credentials -n team-a | yes
            alice  | team-a-developers | get pods -A                             | no
            olivia | operators         | delete no/n1                            | yes
            carol  | auditors          | list clusterroles.rbac.authorization.plat.io | yes
            mallory| ''                | get /metrics                            | no
            admin  | system:masters    | * * -A                                  | yes
            """)
    void serverAndFilesAgree(String user, String group, String request, String expected) {
        String[] subjectArguments = withSubject(user, group, request);
        for (String[] source : List.of(
                new String[] {"--kubeconfig", file("carol")}, new String[] {"--authorization-rbac-path", samples})) {
            assertAnswer(
                    isolated(Command.reused(Program.PLAT, "can-i"))
                            .with(source)
                            .with(subjectArguments)
                            .run(),
                    expected);
        }
    }

    private static String[] withSubject(String user, String group, String request) {
        List<String> withSubject = new ArrayList<>(List.of(request.split(" ")));
        withSubject.addAll(List.of("--as", user));
        if (!group.isEmpty()) {
            withSubject.addAll(List.of("--as-group", group));
        }
        return withSubject.toArray(String[]::new);
    }

    @Test
    void pipedOutputHasNoColour() {
        CompletedProcess no = plat("can-i", "get", "secrets", "--kubeconfig", file("alice"))
                .withEnvironment("TERM", "xterm-256color")
                .run();
        assertThat(no.out()).doesNotContain("\u001B");
    }

    @Test
    void missingServerIsExplained() {
        CompletedProcess rejected = plat("can-i", "get", "pods").run();
        assertThat(rejected.exitStatus()).isEqualTo(USAGE);
        assertThat(rejected.err()).contains("--server", "--kubeconfig");
    }

    @Test
    void undeterminedIsStatusThree() throws Exception {
        Path nobody = ClientFiles.write(system.pki(), "nobody.conf", URI.create("https://localhost:1"), "alice");
        Path broken = Files.writeString(directory.resolve("broken.conf"), "clusters: [");
        Path policy = Files.writeString(directory.resolve("policy.jsonl"), "{}\n");
        assertUndetermined(plat("can-i", "get", "pods", "--kubeconfig", nobody.toString()), "localhost:1");
        assertUndetermined(plat("can-i", "get", "pods", "--kubeconfig", broken.toString()), "broken.conf:1");
        assertUndetermined(
                plat(
                        "can-i",
                        "get",
                        "pods",
                        "--kubeconfig",
                        directory.resolve("absent.conf").toString()),
                "absent.conf");
        assertUndetermined(
                plat("can-i", "get", "pods", "--as", "a", "--authorization-policy-file", policy.toString()),
                "policy.jsonl:1");
        assertUndetermined(
                plat("can-i", "get", "pods", "--as", "alice", "--kubeconfig", file("mallory")),
                "you may not check other users",
                "subjectaccessreviews.authorization.k8s.io");
    }

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void everyKeyAlgorithmAuthenticates(KeyKind kind) {
        String name = "alice-" + kind;
        system.pki().clientWithKey(kind, name, "alice", "team-a-developers");
        Path file = ClientFiles.write(system.pki(), name + ".conf", system.at(""), name);
        CompletedProcess answer = plat("can-i", "get", "pods", "-n", "team-a", "--kubeconfig", file.toString())
                .run();
        assertThat(answer.out()).as(answer.err()).isEqualTo("yes\n");
    }

    @Test
    void untrustedServerIsNotQueried() {
        assertUndetermined(
                plat("can-i", "get", "pods")
                        .withEnvironment("KUBECONFIG", file("alice"))
                        .withEnvironment(
                                "PLAT_CERTIFICATE_AUTHORITY", system.pki().file("other-ca.crt")),
                "no trusted connection",
                "'CN=test authority', which is not a trusted authority");
    }

    @Test
    void untrustedClientIsReported() {
        system.pki().untrustedClient("stranger");
        Path file = ClientFiles.write(
                system.pki(), "stranger.conf", system.decider().at(""), "stranger");
        String where = "localhost:" + system.decider().at("").getPort();
        assertUndetermined(plat("can-i", "get", "pods", "--kubeconfig", file.toString()), where);
    }

    @Test
    void environmentNamesTheFileAndFlagsOverrideIt() {
        Command request = plat("can-i", "get", "pods");
        assertThat(request.withEnvironment("KUBECONFIG", file("alice")).run().out())
                .isEqualTo("yes\n");
        assertThat(request.withEnvironment("KUBECONFIG", file("mallory"))
                        .withEnvironment("PLATCONFIG", file("alice"))
                        .run()
                        .out())
                .isEqualTo("yes\n");
        assertThat(request.withEnvironment("PLATCONFIG", file("alice"))
                        .with("--kubeconfig", file("mallory"))
                        .run()
                        .exitStatus())
                .isEqualTo(1);
        assertThat(request.with(
                                "--server", system.at("").toString(),
                                "--certificate-authority", system.pki().file("ca.crt"),
                                "--client-certificate", system.pki().file("alice.crt"),
                                "--client-key", system.pki().file("alice.key"),
                                "-n", "team-a")
                        .run()
                        .out())
                .isEqualTo("yes\n");
    }

    private static void assertAnswer(CompletedProcess result, String expected) {
        assertThat(result.out()).as(result.err()).matches(expected + "( - .*)?\n");
        assertThat(result.exitStatus()).isEqualTo(expected.equals("yes") ? 0 : 1);
    }

    private static void assertUndetermined(Command command, String... expected) {
        CompletedProcess result = command.run();
        assertThat(result.exitStatus()).as(result.toString()).isEqualTo(UNDETERMINED);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(expected).doesNotContain("\tat ", "Exception");
    }

    private static String file(String user) {
        return system.clientFile(user).toString();
    }

    private Command plat(String... arguments) {
        return isolated(Command.of(Program.PLAT, arguments));
    }

    /** Returns a command without files of the user who runs the test. */
    private Command isolated(Command command) {
        return command.withEnvironment("PLATCONFIG", "")
                .withEnvironment("KUBECONFIG", "")
                .withEnvironment("HOME", directory.toString());
    }
}
