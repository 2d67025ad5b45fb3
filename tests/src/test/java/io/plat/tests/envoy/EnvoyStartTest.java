package io.plat.tests.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.Scripts;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A decider without the flag, without the module, and with contradictory flags. */
class EnvoyStartTest {
    private static final String PATH = "/envoy.service.auth.v3.Authorization/Check";

    private static TestPki pki;

    @TempDir
    Path directory = Path.of("");

    @BeforeAll
    static void makePki() {
        pki = TestPki.create().client("envoy");
    }

    @AfterAll
    static void deletePki() {
        pki.close();
    }

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=AlwaysAllow"));
        flags.addAll(List.of(more));
        return flags;
    }

    /** A decider whose directory lacks the module. */
    private Path launcherWithoutModule() throws IOException {
        Path launcher = Scripts.copy(Program.DECIDER.launcher(), directory.resolve("decider/bin/decider"));
        Files.createSymbolicLink(directory.resolve("decider/server"), Checkout.path("decider/server"));
        return launcher;
    }

    @Test
    void missingModuleIsNamed() throws IOException {
        CompletedProcess finished = Command.of(launcherWithoutModule().toString())
                .with(flags("--envoy-check").toArray(String[]::new))
                .run();
        assertThat(finished.exitStatus()).isEqualTo(1);
        assertThat(finished.err())
                .isEqualTo("--envoy-check: plat-envoy (module decider/envoy) is missing: no jar in \""
                        + directory.toRealPath().resolve("decider/envoy/target") + "\" provides FrontProvider\n");
        assertThat(finished.out()).isEmpty();
    }

    @Test
    void moduleIsLoadedOnlyWithTheFlag() throws IOException {
        Path loaded = directory.resolve("loaded");
        Path script = Scripts.write(directory.resolve("logging"), """
            #!/bin/sh
            JAVA_OPTS="$JAVA_OPTS -Xlog:class+load:file=%s" exec %s "$@"
            """.formatted(loaded, Program.DECIDER.launcher()));
        try (RunningServer decider = RunningServer.start(script, flags());
                HttpsClient client = HttpsClient.of(pki, "envoy")) {
            HttpResponse<String> response = client.post(decider.at(PATH), "{}");
            assertThat(response.statusCode()).isEqualTo(404);
        }
        assertThat(Files.readString(loaded))
                .contains("io.plat.decider.DeciderServer")
                .doesNotContain("io.plat.envoy", "com.google.protobuf", "io.grpc", "io.envoyproxy")
                .doesNotContain("io.plat.fronts.check.", "io.plat.http.process.OptionalJars");
    }

    @Test
    void checkFlagsRequireACheck() {
        CompletedProcess finished = Command.of(
                        Program.DECIDER, flags("--check-user-header=X-User").toArray(String[]::new))
                .run();
        assertThat(finished.exitStatus()).isEqualTo(2);
        assertThat(finished.err()).isEqualTo("--check-user-header: requires --http-check or --envoy-check\n");
    }
}
