package io.plat.tests.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.Program;
import io.plat.tests.process.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A launcher uses its AOT cache only with the jars of the training run, as the JVM itself would run outdated classes from it. The JDK here
 * is a shell script that prints its arguments.
 */
class StaleCacheTest {
    private static final String JAVA = """
            #!/usr/bin/env bash
            for word in "$@"; do
              case $word in -XX:AOTCacheOutput=*) echo cache > "${word#*=}" ;; esac
            done
            echo "$@"
            """;

    private static final String CHECK_CACHE = "plat-can-i.aot";

    /** Changes to the jars of a program after its training run. */
    private enum Since {
        NOTHING,
        /** Like files in archives and image layers: their times have no fractions. */
        ARCHIVED,
        ANOTHER_SIZE,
        ANOTHER_TIME,
        ONE_MORE,
        ONE_LESS,
        THE_PROGRAM_REPLACED;

        void happen(Path program, Path target) throws IOException {
            Path library = target.resolve("lib/b.jar");
            switch (this) {
                case NOTHING -> {}
                case ARCHIVED ->
                    Files.setLastModifiedTime(
                            library,
                            FileTime.from(Files.getLastModifiedTime(library)
                                    .toInstant()
                                    .truncatedTo(ChronoUnit.SECONDS)));
                case ANOTHER_SIZE -> {
                    FileTime time = Files.getLastModifiedTime(library);
                    Files.writeString(library, "another");
                    Files.setLastModifiedTime(library, time);
                }
                case ANOTHER_TIME -> Files.setLastModifiedTime(library, FileTime.from(Instant.EPOCH));
                case ONE_MORE -> Files.writeString(target.resolve("lib/c.jar"), "c");
                case ONE_LESS -> Files.delete(library);
                case THE_PROGRAM_REPLACED -> Files.setLastModifiedTime(program, FileTime.from(Instant.EPOCH));
            }
        }

        boolean sparesTheCache() {
            return this == NOTHING || this == ARCHIVED;
        }
    }

    static Stream<List<Object>> cases() {
        return Arrays.stream(Program.values())
                .flatMap(program -> Arrays.stream(Since.values()).map(since -> List.of(program, since)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void cacheIsUsedOnlyWithItsJars(List<Object> row, @TempDir Path directory) throws IOException {
        Program program = (Program) row.getFirst();
        Since since = (Since) row.get(1);
        Path launcher = install(program, directory);
        Path target = directory.resolve(LaunchersTest.target(program));
        CompletedProcess training = run(launcher, directory, "yes", "--version");
        assertThat(training.exitStatus()).as(training.err()).isZero();
        since.happen(jar(program, target), target);
        assertThat(run(launcher, directory, "", "--version").out().contains("-XX:AOTCache="))
                .isEqualTo(since.sparesTheCache());
    }

    @ParameterizedTest
    @EnumSource(Since.class)
    void checkCacheIsUsedOnlyWithItsJars(Since since, @TempDir Path directory) throws IOException {
        Path launcher = install(Program.PLAT, directory);
        Path target = directory.resolve(LaunchersTest.target(Program.PLAT));
        String[] request = {"can-i", "get", "pods"};
        run(launcher, directory, "yes", "--version");
        run(launcher, directory, "can-i", request);
        since.happen(jar(Program.PLAT, target), target);
        assertThat(run(launcher, directory, "", request).out().contains("-XX:AOTCache=" + target.resolve(CHECK_CACHE)))
                .isEqualTo(since.sparesTheCache());
        assertThat(run(launcher, directory, "", "can-i", "get", "pods", "--authorization-rbac-path=x")
                        .out())
                .as("policy files need many classes that a request to a server does not")
                .doesNotContain(CHECK_CACHE);
    }

    private static CompletedProcess run(Path launcher, Path directory, String training, String... arguments) {
        return Command.of(launcher.toString())
                .with(arguments)
                .withEnvironment("JAVA_HOME", directory.resolve("jdk").toString())
                .withEnvironment("PLAT_TRAINING", training)
                .run();
    }

    private static Path install(Program program, Path directory) throws IOException {
        Scripts.write(directory.resolve("jdk/bin/java"), JAVA);
        write(directory.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path target = directory.resolve(LaunchersTest.target(program));
        write(jar(program, target), "program");
        write(target.resolve("lib/a.jar"), "a");
        write(target.resolve("lib/b.jar"), "b");
        return Scripts.copy(
                program.launcher(), directory.resolve(Checkout.root().relativize(program.launcher())));
    }

    private static Path jar(Program program, Path target) {
        return target.resolve(LaunchersTest.name(program) + "-1.jar");
    }

    private static Path write(Path file, String content) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, content);
    }
}
