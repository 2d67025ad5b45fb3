package io.plat.tests.process;

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

    /** Returns the path of a program: installed, or compiled before; empty if there is none yet. */
    public static Optional<String> there(String name) {
        Path compiled = folder().resolve(name);
        return Command.installed(name)
                ? Optional.of(name)
                : Optional.of(compiled).filter(Files::isExecutable).map(Path::toString);
    }

    private static Path folder() {
        return Path.of(System.getProperty("user.home"), ".cache", "plat-load");
    }
}
