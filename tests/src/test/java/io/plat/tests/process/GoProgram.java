package io.plat.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Go programs that are not part of the checkout. */
public final class GoProgram {
    private static final Duration COMPILED = Duration.ofMinutes(20);

    private GoProgram() {}

    /**
     * Returns the path of a program: installed, or compiled once, which takes minutes; empty if neither is possible.
     *
     * @param name program name
     * @param module module path, with the version
     */
    public static Optional<String> find(String name, String module) {
        Optional<String> there = there(name);
        if (there.isPresent() || !Command.installed("go")) {
            return there;
        }
        CompletedProcess install = Command.of("go", "install", module)
                .withEnvironment("GOBIN", directory().toString())
                .within(COMPILED)
                .run();
        if (install.exitStatus() != 0) {
            System.out.println(name + " cannot be compiled: " + install.err());
        }
        return there(name);
    }

    /**
     * Runs the go command, which fetches modules; skips the test if Go or a module is missing.
     *
     * @return its output
     * @throws AssertionError for other failures
     */
    public static String run(Duration limit, String... arguments) {
        assumeThat(Command.installed("go")).as("go is not installed").isTrue();
        CompletedProcess run = Command.of("go").with(arguments).within(limit).run();
        assumeThat(run.err().contains("proxy.golang.org") || run.err().contains("dial tcp"))
                .as("a module cannot be fetched: %s", run.err())
                .isFalse();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        return run.out();
    }

    /** Returns the path of a program: installed, or compiled before; empty if there is none yet. */
    public static Optional<String> there(String name) {
        Path compiled = directory().resolve(name);
        return Command.installed(name)
                ? Optional.of(name)
                : Optional.of(compiled).filter(Files::isExecutable).map(Path::toString);
    }

    /** Returns the directory of compiled programs. */
    public static Path directory() {
        return Path.of(System.getProperty("user.home"), ".cache", "plat-load");
    }
}
