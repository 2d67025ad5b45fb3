package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.process.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Help as text. Each command has examples and a stored text; {@code -Dplat.help=write} stores the output for review. */
final class HelpTest {
    private static final Path STORED = Path.of("src/test/resources/io/plat/cli/help");

    private static CommandLine program() {
        Environment environment = new Environment(
                Map.of(), Path.of("/nonexistent"), InputStream.nullInputStream(), false, InstantSource.system());
        PrintWriter discarded = new PrintWriter(Writer.nullWriter());
        return Plat.commandLine(environment, discarded, discarded);
    }

    static List<String> commands() {
        List<String> arguments = new ArrayList<>();
        collect(program(), "", arguments);
        return arguments;
    }

    private static void collect(CommandLine command, String arguments, List<String> all) {
        all.add(arguments);
        command.getSubcommands().forEach((name, sub) -> collect(sub, (arguments + " " + name).strip(), all));
    }

    private static String help(String arguments) {
        CommandRun run = CommandRun.plat(
                Stream.concat(Stream.of(arguments.split(" ")).filter(word -> !word.isEmpty()), Stream.of("--help"))
                        .toArray(String[]::new));
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    @ParameterizedTest(name = "plat {0} --help")
    @MethodSource("commands")
    void helpIsAsStored(String arguments) throws IOException {
        String help = help(arguments);
        Path file = STORED.resolve(("plat " + arguments).strip().replace(' ', '-') + ".txt");
        if ("write".equals(System.getProperty("plat.help"))) {
            Files.createDirectories(STORED);
            Files.writeString(file, help);
        }
        assertThat(help)
                .as("%s; run with -Dplat.help=write to store it", file)
                .isEqualTo(Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "");
    }

    @ParameterizedTest(name = "plat {0} --help")
    @MethodSource("commands")
    void everyCommandHasExamples(String arguments) {
        if (!arguments.isEmpty() && !arguments.equals("pki")) {
            assertThat(help(arguments)).containsPattern("Examples?:\n  (plat|kubectl|source) ");
        }
        assertThat(help(arguments).lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void storedHelpBelongsToCommands() throws IOException {
        try (Stream<Path> files = Files.list(STORED)) {
            List<String> known = commands().stream()
                    .map(arguments -> ("plat " + arguments).strip().replace(' ', '-') + ".txt")
                    .toList();
            assertThat(files.map(file -> file.getFileName().toString())).isSubsetOf(known);
        }
    }

    @Test
    void commandIsFoundAmongFlags() {
        assertThat(CommandRun.plat("--context", "matrix", "can-i", "--help").out())
                .startsWith("Usage: plat can-i ");
        assertThat(CommandRun.plat("-o", "json", "pki", "--help").out()).startsWith("Usage: plat pki ");
        assertThat(CommandRun.plat("--help", "can-i").out()).startsWith("Usage: plat can-i ");
        assertThat(CommandRun.plat("can-j", "get").err()).contains("can-i");
        assertThat(CommandRun.plat("can-i", "--verison").err()).contains("--verison");
    }

    @Test
    void helpNamesTheProgramAsItWasStarted() {
        Environment environment = new Environment(
                Map.of(),
                Path.of("/nonexistent"),
                InputStream.nullInputStream(),
                false,
                false,
                "kubectl access",
                InstantSource.system());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Plat.run(environment, out, OutputStream.nullOutputStream(), "can-i", "--help");
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Usage: kubectl access can-i ");
    }
}
