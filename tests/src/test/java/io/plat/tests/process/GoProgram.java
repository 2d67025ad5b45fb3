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
     * Where a program is: installed, or compiled once, which takes minutes; empty where there is neither it nor what compiles it.
     *
     * @param name what it is called
     * @param module where its source is, with the version
     */
    public static Optional<String> find(String name, String module) {
        if (Command.installed(name)) {
            return Optional.of(name);
        }
        Path folder = Path.of(System.getProperty("user.home"), ".cache", "plat-load");
        Path compiled = folder.resolve(name);
        if (!Files.isExecutable(compiled) && Command.installed("go")) {
            Finished install = Command.of("go", "install", module)
                    .withEnvironment("GOBIN", folder.toString())
                    .within(COMPILED)
                    .run();
            if (install.exitStatus() != 0) {
                System.out.println(name + " can't be compiled: " + install.err());
            }
        }
        return Files.isExecutable(compiled) ? Optional.of(compiled.toString()) : Optional.empty();
    }
}
