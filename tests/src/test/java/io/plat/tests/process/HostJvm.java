package io.plat.tests.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command of a JVM that runs many programs. */
final class HostJvm {
    /** Its value and the JVM option are those of the tests' own JVM, which has none in a full run. */
    private static final String SECURITY = "java.security.properties";

    private HostJvm() {}

    /**
     * Returns the command.
     *
     * @param options additional options
     * @param targets directories of the built programs, whose libraries are in {@code lib}
     * @param main the class of the tests that runs programs
     */
    static List<String> command(List<String> options, List<String> targets, Class<?> main) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                // Each decider collects all garbage once it has started, and each new class loader enlarges the space
                // for classes: a
                // full collection of a heap with the remains of all tests.
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
