package io.plat.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Programs in Go that the checkout does not bring. */
public final class GoProgram {
    private static final Duration COMPILED = Duration.ofMinutes(20);

    private GoProgram() {}

    /**
     * Returns the path of a program: installed, or compiled once, which takes minutes; empty if there is neither a program nor a compiler.
     *
     * @param name what it is called
     * @param module where its source is, with the version
     */
    public static Optional<String> find(String name, String module) {
        Optional<String> there = there(name);
        if (there.isPresent() || !Command.installed("go")) {
            return there;
        }
        Finished install = Command.of("go", "install", module)
                .withEnvironment("GOBIN", folder().toString())
                .within(COMPILED)
                .run();
        if (install.exitStatus() != 0) {
            System.out.println(name + " can't be compiled: " + install.err());
        }
        return there(name);
    }

    /**
     * Runs the go command, which fetches the modules that it needs; skips the test where there is no Go or a module can't be fetched.
     *
     * @return what it printed
     * @throws AssertionError if it fails otherwise
     */
    public static String run(Duration limit, String... arguments) {
        assumeThat(Command.installed("go")).as("go is not installed").isTrue();
        Finished run = Command.of("go").with(arguments).within(limit).run();
        assumeThat(run.err().contains("proxy.golang.org") || run.err().contains("dial tcp"))
                .as("a module can't be fetched: %s", run.err())
                .isFalse();
        assertThat(run.exitStatus()).as(run.err()).isZero();
        return run.out();
    }

    /** Returns the path of a program: installed, or compiled before; empty if there is none yet. */
    public static Optional<String> there(String name) {
        Path compiled = folder().resolve(name);
        return Command.installed(name)
                ? Optional.of(name)
                : Optional.of(compiled).filter(Files::isExecutable).map(Path::toString);
    }

    /** The folder of compiled programs. */
    public static Path folder() {
        return Path.of(System.getProperty("user.home"), ".cache", "plat-load");
    }
}
