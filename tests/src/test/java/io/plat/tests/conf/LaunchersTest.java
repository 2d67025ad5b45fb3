package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import io.plat.tests.process.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The launchers and the AOT cache of the build: a valid one shortens the start, an invalid one is ignored. */
class LaunchersTest {
    static Stream<Path> caches() {
        return Stream.concat(
                Arrays.stream(Program.values()).map(LaunchersTest::cache),
                Stream.of(cache(Program.PLAT).resolveSibling("plat-can-i.aot")));
    }

    @ParameterizedTest
    @MethodSource("caches")
    void buildCreatesACompleteCache(Path cache) throws IOException {
        Path log = cache.resolveSibling(cache.getFileName() + ".log");
        assumeTrue(Files.exists(log), "built without a training run (-Dtraining.skip)");
        assertThat(cache).isNotEmptyFile();
        assertThat(cache.resolveSibling(cache.getFileName() + ".new")).doesNotExist();
        assertThat(Files.readString(log)).contains("AOTCache creation is complete");
    }

    @ParameterizedTest
    @EnumSource(
            value = Program.class,
            names = {"DECIDER", "APISERVER_LITE"})
    void jvmOptionsReachTheJvm(Program program) {
        CompletedProcess run = Command.of(program, "--version")
                .withEnvironment("JAVA_OPTS", "-Dunread=x -showversion")
                .run();
        assertThat(run.err()).contains("Runtime Environment");
        assertThat(run.exitStatus()).isZero();
    }

    static Stream<List<Object>> badCaches() {
        return Arrays.stream(Program.values())
                .flatMap(program ->
                        Stream.of("empty", "noise", "cut", "outdated").map(kind -> List.of(program, kind)));
    }

    @ParameterizedTest
    @MethodSource("badCaches")
    void corruptCacheIsIgnoredSilently(List<Object> row, @TempDir Path directory) throws IOException {
        Program program = (Program) row.getFirst();
        Path built = Checkout.path(target(program));
        // The same program elsewhere, with its own cache and links to the jars of the build, so that their timestamps
        // are equal.
        Path launcher = directory.resolve(Checkout.root().relativize(program.launcher()));
        Path target = Files.createDirectories(directory.resolve(target(program)));
        Scripts.copy(program.launcher(), launcher);
        try (Stream<Path> jars = Files.list(built)) {
            for (Path jar :
                    jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
                Files.createSymbolicLink(target.resolve(jar.getFileName()), jar);
            }
        }
        Files.createSymbolicLink(target.resolve("lib"), built.resolve("lib"));
        Path cache = target.resolve(cache(program).getFileName());
        write((String) row.get(1), cache, cache(program));
        // The launcher treats it as one of these jars.
        Files.writeString(cache.resolveSibling(cache.getFileName() + ".jars"), stamp(jar(program, target), target));
        CompletedProcess run = Command.of(launcher.toString(), "--version").run();
        assertThat(run.err()).isEmpty();
        assertThat(run.exitStatus()).isZero();
        assertThat(run.out()).isNotBlank();
    }

    private static String stamp(Path jar, Path target) {
        return Command.of(
                        "bash",
                        "-c",
                        "stat -L -c '%n %s %Y' \"$0\" \"$1\"/lib/*.jar",
                        jar.toString(),
                        target.toString())
                .run()
                .out();
    }

    private static Path jar(Program program, Path target) throws IOException {
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().matches(name(program) + "-[0-9].*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void write(String kind, Path bad, Path good) throws IOException {
        byte[] whole = Files.readAllBytes(good);
        byte[] content = switch (kind) {
            case "empty" -> new byte[0];
            case "noise" -> {
                byte[] noise = new byte[1 << 20];
                new Random(5).nextBytes(noise);
                yield noise;
            }
            case "cut" -> Arrays.copyOf(whole, whole.length / 2);
            case "outdated" -> whole;
            default -> throw new IllegalArgumentException(kind);
        };
        Files.write(bad, content);
    }

    /** Returns the build directory of a program, relative to the checkout. */
    static String target(Program program) {
        return switch (program) {
            case DECIDER -> "decider/server/target";
            case APISERVER_LITE -> "apiserver-lite/target";
            case PLAT -> "cli/target";
        };
    }

    /** Returns the prefix of the program's jar. */
    static String name(Program program) {
        return switch (program) {
            case DECIDER -> "decider-server";
            case APISERVER_LITE -> "apiserver-lite";
            case PLAT -> "plat-cli";
        };
    }

    private static Path cache(Program program) {
        return Checkout.path(target(program)).resolve(program.launcher().getFileName() + ".aot");
    }
}
