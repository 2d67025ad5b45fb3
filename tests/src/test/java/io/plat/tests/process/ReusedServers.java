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

/** The JVM in which the tests start servers whose process is not their subject ({@link ServerHost}), and its launchers. */
final class ReusedServers {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String FOLDER = "plat-reused-servers";

    private ReusedServers() {}

    /** Started with the first server, stopped after the tests. */
    private static final class Shared {
        static final Path FOLDER = start();
    }

    /** Returns a program's launcher. */
    static Path launcher(Program program) {
        return Shared.FOLDER.resolve(program.launcher().getFileName());
    }

    /** Returns whether a program is one of the launchers. */
    static boolean contains(Path program) {
        return String.valueOf(program.getParent()).contains(FOLDER);
    }

    private static Path start() {
        try {
            Path folder = Files.createTempDirectory(FOLDER);
            Path out = folder.resolve("out");
            Process host = new ProcessBuilder(command())
                    .redirectOutput(out.toFile())
                    .redirectError(folder.resolve("err").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                host.destroyForcibly().onExit().join();
                Folders.delete(folder);
            }));
            await("port of the servers' JVM")
                    .atMost(START)
                    .until(() -> !host.isAlive() || Files.readString(out).endsWith("\n"));
            String port = Files.readString(out).strip();
            if (port.isEmpty()) {
                throw new AssertionError(Files.readString(folder.resolve("err")));
            }
            for (Program program : List.of(Program.APISERVER_LITE, Program.DECIDER)) {
                String name = program.launcher().getFileName().toString();
                // A signal that ends a server interrupts the wait for its status.
                Scripts.write(folder.resolve(name), """
                        #!/bin/bash
                        exec 6>&1 7>&2 8<> /dev/tcp/127.0.0.1/%s || exit 125
                        trap 'echo >&8' TERM INT
                        printf '%%s\\0' $$ %s $# "$@" >&8
                        until read -r -u 8 status || [ $? -lt 128 ]; do :; done
                        exit "${status:-125}"
                        """.formatted(port, name));
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The options of the launchers, and the class paths of both programs. */
    private static List<String> command() throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dorg.eclipse.jetty.util.referencesPerCacheLine=16",
                "-Dplat.backends=" + Checkout.path("apiserver-lite/etcd/target"),
                "-Dplat.fronts=" + Checkout.path("decider/envoy/target"),
                "-cp"));
        List<String> classes = new ArrayList<>();
        for (String target : List.of("apiserver-lite/target", "decider/server/target")) {
            try (var jars = Files.newDirectoryStream(Checkout.path(target), "*-SNAPSHOT.jar")) {
                jars.forEach(jar -> classes.add(jar.toString()));
            }
            classes.add(Checkout.path(target).resolve("lib") + "/*");
        }
        classes.add(Checkout.path("tests/target/test-classes").toString());
        words.add(String.join(File.pathSeparator, classes));
        words.add(ServerHost.class.getName());
        return words;
    }
}
