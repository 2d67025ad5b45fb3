package io.plat.tests.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.DelegatingSystem;
import io.plat.tests.process.Finished;
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
 * The client library of the field's own programs, as a small program in {@code src/test/go}. Compiling it from nothing takes two
 * minutes of processor time, so that only the full run does; skipped where Go or its modules can't be had.
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
    void aCacheBecomesWhatIsListedWhileObjectsAreWritten(String kind, String count) {
        Finished run = Command.of(PROGRAM.toString(), admin, kind, kind, count)
                .within(Duration.ofMinutes(3))
                .run();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        assertThat(run.out()).endsWith("ok\n");
    }

    @Test
    void oneOfTwoCandidatesLeadsAndTheOtherFollowsIt() {
        Finished run = Command.of(PROGRAM.toString(), admin, "election", "election", "1")
                .within(Duration.ofMinutes(3))
                .run();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        assertThat(run.out()).endsWith("ok\n");
    }
}
