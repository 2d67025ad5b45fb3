package io.plat.http.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.ServerProgram.Running;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerProcessTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> announced = new ArrayList<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** A server that does not listen. */
    private static final class Pretended implements ServerProgram {
        private final FlagSet flags =
                new FlagSet("Usage: pretended [flags]\n\n  --mood=TEXT\n      Its mood. Required.\n", "1");
        private final Flag<String> mood = flags.required("mood", FlagType.TEXT);

        @Override
        public FlagSet flags() {
            return flags;
        }

        @Override
        public Running start(FlagValues values) throws StartException {
            if (values.get(mood).equals("bad")) {
                StartException.Collector problems = new StartException.Collector();
                problems.add("--mood", "is bad, expected a good one");
                problems.add("file:3: also this");
                problems.throwIfAny();
            }
            return new Running() {
                @Override
                public String url() {
                    return "https://127.0.0.1:1";
                }

                @Override
                public void stop() {
                    // Runs nothing.
                }
            };
        }
    }

    private ServerProcess.Started start(String... arguments) {
        return new ServerProcess(
                        new Pretended(),
                        running -> announced.add(out.toString(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .start(arguments);
    }

    @Test
    void aSlowStartIsReportedAtDoublingIntervals() {
        ServerProcess.StartReports reports = new ServerProcess.StartReports(Duration.ofSeconds(2));
        assertThat(List.of(reports.round(), reports.round(), reports.round()))
                .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));
    }

    @Test
    void theFirstLineHasTheAddress() {
        assertThat(start("--mood=good").running()).isPresent();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("listening on https://127.0.0.1:1\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(announced).as("output before the server handles signals").containsExactly("");
    }

    @Test
    void anInvalidCommandLineExitsWithTwo() {
        ServerProcess.Started started = start("--moot=good", "x");
        assertThat(started.status()).isEqualTo(2);
        assertThat(started.running()).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(List.of(err.toString(StandardCharsets.UTF_8).split("\n", -1)))
                .containsExactlyInAnyOrder(
                        "--moot: unknown flag, did you mean --mood?",
                        "\"x\": unexpected argument, expected flags only",
                        "--mood: required, expected a value",
                        "");
    }

    @Test
    void unusableFilesExitWithOne() {
        ServerProcess.Started started = start("--mood=bad");
        assertThat(started.status()).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("--mood: is bad, expected a good one\nfile:3: also this\n");
    }

    @Test
    void helpAndVersionExitWithZero() {
        assertThat(start("--help").status()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Usage: pretended [flags]\n");
        out.reset();
        assertThat(start("--version").status()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("pretended 1\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
