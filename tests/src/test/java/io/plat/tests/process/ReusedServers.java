package io.plat.tests.process;

import java.nio.file.Path;
import java.util.List;

/** A JVM in which tests start servers whose process is not their subject ({@link ServerHost}), and its launchers. */
public final class ReusedServers implements AutoCloseable {
    private final HostJvm host;

    private ReusedServers(HostJvm host) {
        this.host = host;
    }

    /** Started with the first server, stopped after the tests. */
    private static final class Shared {
        static final ReusedServers SERVERS = start(Path.of(""));

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVERS::close));
        }
    }

    /** Returns a program's launcher, in the JVM of all tests. */
    static Path launcher(Program program) {
        return Shared.SERVERS.bin().resolve(program.launcher().getFileName());
    }

    /**
     * Starts a JVM.
     *
     * @param where working directory of all servers
     */
    public static ReusedServers start(Path where) {
        // The options of the launchers, and the class paths of both programs.
        HostJvm host = HostJvm.start(
                where,
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dorg.eclipse.jetty.util.referencesPerCacheLine=16",
                        "-Dplat.backends=" + Checkout.path("apiserver-lite/etcd/target"),
                        "-Dplat.fronts=" + Checkout.path("decider/envoy/target")),
                List.of("apiserver-lite/target", "decider/server/target"),
                ServerHost.class);
        for (Program program : List.of(Program.APISERVER_LITE, Program.DECIDER)) {
            // A signal that ends a server interrupts the wait for its status.
            host.addLauncher(program.launcher().getFileName().toString(), """
                    #!/bin/bash
                    exec 6>&1 7>&2 8<> /dev/tcp/127.0.0.1/%s || exit 125
                    trap 'echo >&8' TERM INT
                    printf '%%s\\0' $$ %s $# "$@" >&8
                    until read -r -u 8 status || [ $? -lt 128 ]; do :; done
                    exit "${status:-125}"
                    """);
        }
        return new ReusedServers(host);
    }

    /** Returns the directory of the launchers, for the PATH. */
    public Path bin() {
        return host.bin();
    }

    @Override
    public void close() {
        host.close();
    }
}
