package io.plat.tests.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Start of etcd processes, alone or as members. The system property {@code plat.etcd} selects the program; the default is the system's. */
public final class EtcdProcess {
    private static final String PROGRAM = System.getProperty("plat.etcd", "etcd");

    private EtcdProcess() {}

    /** Skips the test if etcd is missing. */
    public static void assumeInstalled() {
        assumeThat(Command.installed(PROGRAM)).as("etcd is not installed").isTrue();
    }

    /**
     * Starts one on loopback.
     *
     * @param directory data and log directory
     * @param clients client port
     * @param peers peer port
     * @param advertised advertised peer address
     * @param members all members, as {@code NAME=ADDRESS}
     * @param more additional flags
     */
    public static Process start(
            Path directory, String name, URI clients, int peers, String advertised, String members, String... more)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                PROGRAM,
                "--name=" + name,
                "--data-dir=" + directory.resolve("data-" + name),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=http://127.0.0.1:" + peers,
                "--initial-advertise-peer-urls=" + advertised,
                "--initial-cluster=" + members));
        words.addAll(List.of(more));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(log(directory, name).toFile()))
                .start();
    }

    /**
     * Waits until it accepts connections.
     *
     * @throws IOException with its output, if it ends instead
     */
    public static void awaitServing(Path directory, String name, URI clients, Process process) throws IOException {
        ForeignServer.awaitOn(clients.getPort(), "etcd", process, log(directory, name));
    }

    private static Path log(Path directory, String name) {
        return directory.resolve("log-" + name);
    }

    /** Kills it, like a failing machine; its data stays. */
    public static void kill(Process process) {
        process.destroyForcibly();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("etcd did not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
