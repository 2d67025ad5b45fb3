package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A JVM that runs many programs, and prints the port at which it accepts their launchers. */
final class HostJvm implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    /** Its value and the JVM option are those of the tests' own JVM, which has none in a full run. */
    private static final String SECURITY = "java.security.properties";

    private static final String PREFIX = "plat-host-jvm";

    private final Path directory;
    private final Process process;
    private final String port;

    private HostJvm(Path directory, Process process, String port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    /**
     * Starts a JVM.
     *
     * @param where working directory of the programs
     * @param options additional options
     * @param targets directories of the built programs, whose libraries are in {@code lib}
     * @param main the class of the tests that runs programs
     */
    static HostJvm start(Path where, List<String> options, List<String> targets, Class<?> main) {
        try {
            Path directory = Files.createTempDirectory(PREFIX);
            Path out = directory.resolve("out");
            Process process = new ProcessBuilder(command(options, targets, main))
                    .directory(where.toAbsolutePath().toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(directory.resolve("err").toFile())
                    .start();
            await("port of " + main.getSimpleName())
                    .atMost(START)
                    .until(() -> !process.isAlive() || Files.readString(out).endsWith("\n"));
            String port = Files.readString(out).strip();
            if (port.isEmpty()) {
                throw new AssertionError(Files.readString(directory.resolve("err")));
            }
            return new HostJvm(directory, process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes the launcher of a program.
     *
     * @param script a script, with {@code %s} for the port and then for the name
     */
    void addLauncher(String name, String script) {
        Scripts.write(bin().resolve(name), script.formatted(port, name));
    }

    /** Returns the directory of the launchers, for the PATH. */
    Path bin() {
        return directory.resolve("bin");
    }

    /** Returns whether a program is a launcher of such a JVM. */
    static boolean runs(Path program) {
        return program.toString().contains(PREFIX);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        Directories.delete(directory);
    }

    private static List<String> command(List<String> options, List<String> targets, Class<?> main) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                // Each decider collects all garbage once it has started, and each new class loader enlarges the space
                // for
                // classes: a full collection of a heap with the remains of all tests.
                "-XX:+DisableExplicitGC",
                "-XX:MetaspaceSize=256m",
                "-Djava.library.path=" + Checkout.path("cli/target/native")));
        String security = System.getProperty(SECURITY);
        if (security != null) {
            words.add("-D" + SECURITY + "=" + security);
        }
        words.addAll(options);
        List<String> classes = new ArrayList<>();
        for (String target : targets) {
            classes.addAll(jars(target, "*-SNAPSHOT.jar"));
            classes.add(Checkout.path(target).resolve("lib") + "/*");
        }
        classes.addAll(jars("cli/target/lib", "conscrypt-*.jar"));
        classes.add(Checkout.path("tests/target/test-classes").toString());
        words.addAll(List.of("-cp", String.join(File.pathSeparator, classes), main.getName()));
        return words;
    }

    private static List<String> jars(String directory, String pattern) throws IOException {
        List<String> found = new ArrayList<>();
        try (var jars = Files.newDirectoryStream(Checkout.path(directory), pattern)) {
            jars.forEach(jar -> found.add(jar.toString()));
        }
        return found;
    }
}
