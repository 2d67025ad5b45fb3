package io.plat.http.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Training run of a server at the end of the build: it starts with its own certificates, receives some requests by a member of {@code
 * system:masters}, and stops. The JVM records loaded and linked classes and hot methods, which every later start uses (JEP 514, JEP 515).
 * Certificates are issued and requests sent by another JVM, whose classes are not recorded. Not thread-safe.
 */
public final class TrainingRun implements AutoCloseable {
    private final Path directory;
    private final List<String> requests = new ArrayList<>();

    /**
     * Issues the certificates in a temporary directory.
     *
     * @throws IOException if that fails
     */
    public TrainingRun() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("plat-training");
        client(directory.toString());
    }

    /** Returns a file of the training run's own directory, which is removed afterwards. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /**
     * Adds a request that is sent in each run, in order.
     *
     * @param json the body, on one line; empty for none
     */
    public void request(String method, String path, String json) {
        requests.add(method + " " + path + " " + json);
    }

    /**
     * Starts a server, sends requests and stops it.
     *
     * @param flags flags in addition to those for certificates and port
     * @throws IOException if it does not start or a response is not a success
     */
    public void run(ServerProgram program, List<String> flags) throws IOException, InterruptedException {
        ProcessLogging.configure(false);
        List<String> all = new ArrayList<>(List.of(
                "--secure-port=0",
                "--tls-cert-file=" + file(TrainingClient.SERVER + ".crt"),
                "--tls-private-key-file=" + file(TrainingClient.SERVER + ".key"),
                "--client-ca-file=" + file(TrainingClient.AUTHORITY + ".crt")));
        all.addAll(flags);
        ServerProcess.Started started =
                new ServerProcess(program, running -> {}, System.out, System.err).start(all.toArray(String[]::new));
        ServerProgram.Running running =
                started.running().orElseThrow(() -> new IOException("the server did not start"));
        try {
            Path file = Files.write(file("requests"), requests);
            client(directory.toString(), running.url(), file.toString());
        } finally {
            running.stop();
        }
    }

    /** Runs the other JVM to its end, with its output inherited. */
    private static void client(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                System.getProperty("java.class.path"),
                TrainingClient.class.getName()));
        command.addAll(List.of(arguments));
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("the client of the training run ended with status " + status);
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
