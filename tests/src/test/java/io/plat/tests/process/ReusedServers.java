package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A JVM in which tests start servers whose process is not their subject ({@link ServerHost}), and its launchers. */
public final class ReusedServers implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String DIRECTORY = "plat-reused-servers";

    private final Path directory;
    private final Process host;

    private ReusedServers(Path directory, Process host) {
        this.directory = directory;
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

    /** Returns whether a program is one of the launchers. */
    static boolean contains(Path program) {
        return String.valueOf(program.getParent()).contains(DIRECTORY);
    }

    /**
     * Starts a JVM.
     *
     * @param where working directory of all servers
     */
    public static ReusedServers start(Path where) {
        try {
            Path directory = Files.createTempDirectory(DIRECTORY);
            Path out = directory.resolve("out");
            Process host = new ProcessBuilder(command())
                    .directory(where.toAbsolutePath().toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(directory.resolve("err").toFile())
                    .start();
            await("port of the servers' JVM")
                    .atMost(START)
                    .until(() -> !host.isAlive() || Files.readString(out).endsWith("\n"));
            String port = Files.readString(out).strip();
            if (port.isEmpty()) {
                throw new AssertionError(Files.readString(directory.resolve("err")));
            }
            for (Program program : List.of(Program.APISERVER_LITE, Program.DECIDER)) {
                String name = program.launcher().getFileName().toString();
                // A signal that ends a server interrupts the wait for its status.
                Scripts.write(directory.resolve(name), """
                        #!/bin/bash
                        exec 6>&1 7>&2 8<> /dev/tcp/127.0.0.1/%s || exit 125
                        trap 'echo >&8' TERM INT
                        printf '%%s\\0' $$ %s $# "$@" >&8
                        until read -r -u 8 status || [ $? -lt 128 ]; do :; done
                        exit "${status:-125}"
                        """.formatted(port, name));
            }
            return new ReusedServers(directory, host);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the directory of the launchers, for the PATH. */
    public Path bin() {
        return directory;
    }

    @Override
    public void close() {
        host.destroyForcibly().onExit().join();
        Directories.delete(directory);
    }

    /** The options of the launchers, and the class paths of both programs. */
    private static List<String> command() throws IOException {
        return HostJvm.command(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dorg.eclipse.jetty.util.referencesPerCacheLine=16",
                        "-Dplat.backends=" + Checkout.path("apiserver-lite/etcd/target"),
                        "-Dplat.fronts=" + Checkout.path("decider/envoy/target")),
                List.of("apiserver-lite/target", "decider/server/target"),
                ServerHost.class);
    }
}
