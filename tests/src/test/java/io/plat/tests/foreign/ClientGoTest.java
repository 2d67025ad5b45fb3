package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.GoProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * client-go, in a small program in {@code src/test/go}. In the full run only, as compiling takes two minutes of CPU time; skipped if Go or
 * its modules are missing.
 */
class ClientGoTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");
    private static final Path PROGRAM = Checkout.path("tests/target/clientgo");

    private static DelegatingSystem system;
    private static String admin;

    @BeforeAll
    static void start() throws IOException {
        assumeThat(FULL).as("client-go is compiled in the full run only").isTrue();
        GoProgram.run(Duration.ofMinutes(10), "build", "-C", source(), "-o", PROGRAM.toString(), ".");
        system = DelegatingSystem.start();
        admin = system.clientFile("admin").toString();
        for (String namespace : new String[] {"reflector", "informer", "election"}) {
            String body = "{\"metadata\":{\"name\":\"" + namespace + "\"}}";
            assertThat(system.client("admin")
                            .post(system.at("/api/v1/namespaces"), body)
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    @AfterAll
    static void stop() {
        if (system != null) {
            system.close();
        }
    }

    private static String source() {
        return Checkout.path("tests/src/test/go/clientgo").toString();
    }

    @ParameterizedTest(name = "{0} over {1} objects")
    @CsvSource({"reflector, 500", "informer, 5000"})
    void informerCacheConverges(String kind, String count) {
        CompletedProcess run = Command.of(PROGRAM.toString(), admin, kind, kind, count)
                .within(Duration.ofMinutes(3))
                .run();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        assertThat(run.out()).endsWith("ok\n");
    }

    @Test
    void leaderElectionElectsOneCandidate() {
        CompletedProcess run = Command.of(PROGRAM.toString(), admin, "election", "election", "1")
                .within(Duration.ofMinutes(3))
                .run();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        assertThat(run.out()).endsWith("ok\n");
    }
}
