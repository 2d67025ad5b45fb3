package io.plat.tests.process;

import java.nio.file.Path;
import java.util.List;

/**
 * A program {@code plat} whose commands all run in the same JVM ({@link PlatHost}), and in the same directory. Starting a JVM takes most of the
 * CPU time of a command; a test whose subject is the output of many commands uses this program, one whose subject is the process uses the
 * launcher of {@link Program#PLAT}.
 */
public final class ReusedPlat implements AutoCloseable {
    private final HostJvm host;

    private ReusedPlat(HostJvm host) {
        this.host = host;
    }

    /** Started with the first command, stopped after the tests. */
    private static final class Shared {
        static final ReusedPlat PLAT = start(Path.of(""));

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(PLAT::close));
        }
    }

    /** Returns the program in the JVM of all tests, whose working directory is that of the tests. */
    static Path launcher() {
        return Shared.PLAT.bin().resolve("plat");
    }

    /**
     * Starts a JVM.
     *
     * @param where working directory of all commands
     */
    public static ReusedPlat start(Path where) {
        HostJvm host = HostJvm.start(
                where, List.of("--enable-native-access=ALL-UNNAMED"), List.of("cli/target"), PlatHost.class);
        host.addLauncher("plat", """
                #!/bin/bash
                # The builtins replace the first three descriptors for a moment.
                exec 5<&0 6>&1 7>&2 8<> /dev/tcp/127.0.0.1/%s || exit 125
                printf '%%s\\0' $$ $# "$@" >&8
                read -r -u 8 status
                exit "${status:-125}"
                """);
        return new ReusedPlat(host);
    }

    /** Returns the directory of the program, for the PATH. */
    public Path bin() {
        return host.bin();
    }

    @Override
    public void close() {
        host.close();
    }
}
