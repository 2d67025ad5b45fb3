package io.plat.decider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.StartException;
import io.plat.http.testing.TestingPki;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeciderFlagsTest {
    private final DeciderProgram program = new DeciderProgram("1.2.3");

    private FlagSet.Request parse(List<String> arguments) throws UsageException {
        return program.flags().parse(arguments.toArray(String[]::new));
    }

    @Test
    void helpIsComplete() throws Exception {
        try (InputStream expected = DeciderFlagsTest.class.getResourceAsStream("help.txt")) {
            String text = new String(expected.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(parse(List.of("--help"))).isEqualTo(new FlagSet.Request.Print(text));
        }
    }

    @Test
    void allMissingFlagsAreReported() {
        assertThatThrownBy(() -> parse(List.of()))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        wrong -> assertThat(wrong.problems())
                                .satisfiesExactlyInAnyOrder(
                                        line -> assertThat(line)
                                                .isEqualTo("--tls-cert-file: required, expected a file"),
                                        line -> assertThat(line)
                                                .isEqualTo("--tls-private-key-file: required, expected a file"),
                                        line -> assertThat(line)
                                                .isEqualTo("--client-ca-file: required, expected a file"),
                                        line -> assertThat(line).startsWith("--authorization-mode: ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--authorization-mode=ABAC | --authorization-policy-file",
                "--authorization-mode=RBAC | --authorization-rbac-path",
                "--authorization-mode=Webhook | --authorization-webhook-config-file",
                "--authorization-mode=Sometimes | --authorization-mode",
                "--authorization-mode=AlwaysAllow,AlwaysAllow | --authorization-mode",
                "--authorization-mode=AlwaysAllow --authorization-policy-file=p | --authorization-policy-file",
                "--authorization-mode=AlwaysAllow --bind-address=0.0.0.0 | --allowed-client-names",
                "--authorization-mode=AlwaysAllow --bind-address=:: --allowed-client-names= | --allowed-client-names",
                "--authorization-mode=AlwaysAllow --bind-address=192.0.2.1 | --allowed-client-names",
                "--authorization-mode=AlwaysAllow --explain-clients=x | --explain-clients",
                "--authorization-mode=AlwaysAllow --decision-log-path= | --decision-log-path",
                "--authorization-mode=AlwaysAllow --decision-log-mode=blocking | --decision-log-mode",
                "--authorization-mode=AlwaysAllow --decision-log-mask=user | --decision-log-mask",
                "--authorization-mode=AlwaysAllow --decision-log-path=- --decision-log-mode=some | --decision-log-mode",
                "--authorization-mode=AlwaysAllow --decision-log-path=- --decision-log-maxsize=0 | --decision-log-maxsize",
                "--authorization-mode=AlwaysAllow --decision-log-path=- --decision-log-maxbackup=x | --decision-log-maxbackup",
                "--authorization-mode=AlwaysAllow --decision-log-path=- --decision-log-mask=user,verb | --decision-log-mask",
                "--authorization-mode=AlwaysAllow --reasons=some | --reasons",
                "--authorization-mode=AlwaysAllow --policy-reload=never | --policy-reload",
                "--authorization-mode=AlwaysAllow --max-requests-inflight=-1 | --max-requests-inflight",
                "--authorization-mode=AlwaysAllow --authorization-webhook-timeout=3 | --authorization-webhook-timeout",
                "--authorization-mode=AlwaysAllow --authorization-webhook-version=v1 | --authorization-webhook-version",
            })
    void contradictionsAreReportedWithTheFlag(String words, String flag) {
        List<String> arguments = new ArrayList<>(TestingDecider.tls(Path.of("nowhere")));
        arguments.addAll(List.of(words.split(" ", -1)));
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOfSatisfying(
                        UsageException.class,
                        wrong -> assertThat(wrong.problems())
                                .singleElement()
                                .asString()
                                .startsWith(flag + ": "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--bind-address=127.0.0.9",
                "--bind-address=::1",
                "--bind-address=0.0.0.0 --allowed-client-names=*",
                "--bind-address=192.0.2.1 --allowed-client-names=api-server",
            })
    void allowedClientsAreRequiredUnlessLoopback(String words) {
        List<String> arguments = new ArrayList<>(TestingDecider.tls(Path.of("nowhere")));
        arguments.add("--authorization-mode=AlwaysAllow");
        arguments.addAll(List.of(words.split(" ", -1)));
        assertThatCode(() -> parse(arguments)).doesNotThrowAnyException();
    }

    @Test
    void allUnusableFilesAreReported(@TempDir Path directory) throws Exception {
        Path policy = Files.writeString(directory.resolve("policy"), "{}\n{\"nonsense\"\n");
        Path authorities = Files.writeString(directory.resolve("ca.crt"), "nonsense");
        List<String> arguments = new ArrayList<>(TestingDecider.tls(directory));
        arguments.add("--authorization-mode=ABAC");
        arguments.add("--authorization-policy-file=" + policy);
        assertThatThrownBy(() -> start(arguments))
                .isInstanceOfSatisfying(
                        StartException.class,
                        refused -> assertThat(refused.problems())
                                .hasSizeGreaterThanOrEqualTo(3)
                                .anyMatch(line -> line.startsWith(directory.resolve("server.crt") + ": "))
                                .anyMatch(line -> line.startsWith(authorities + ": expected at least one"))
                                .anyMatch(line -> line.startsWith(policy + ":1: "))
                                .anyMatch(line -> line.startsWith(policy + ":2: ")));
    }

    @Test
    void aPortInUseIsReported(@TempDir Path directory) throws Exception {
        new TestingPki().write(directory);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> arguments = new ArrayList<>(TestingDecider.tls(directory));
            arguments.add("--authorization-mode=AlwaysDeny");
            arguments.add("--secure-port=" + taken.getLocalPort());
            assertThatThrownBy(() -> start(arguments))
                    .isInstanceOfSatisfying(
                            StartException.class,
                            refused -> assertThat(refused.problems())
                                    .containsExactly("--bind-address, --secure-port: cannot listen on 127.0.0.1:"
                                            + taken.getLocalPort() + ": Address already in use"));
        }
    }

    private void start(List<String> arguments) throws UsageException, StartException, IOException {
        if (parse(arguments) instanceof FlagSet.Request.Run run) {
            program.start(run.values());
        }
    }
}
