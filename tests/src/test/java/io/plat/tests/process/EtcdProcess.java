package io.plat.tests.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Start of etcd processes, alone or as members. The system property {@code plat.etcd} selects the program; the default is the system's.
 */
public final class EtcdProcess {
    private static final String PROGRAM = System.getProperty("plat.etcd", "etcd");

    private EtcdProcess() {}

    /** Skips the test where there is none. */
    public static void assumeInstalled() {
        assumeThat(Command.installed(PROGRAM)).as("etcd is not installed").isTrue();
    }

    /**
     * Starts one on loopback.
     *
     * @param folder for what it keeps and says
     * @param clients where clients find it
     * @param peers the port that it listens for other members at
     * @param advertised the address at which other members find it
     * @param members all of them, as {@code NAME=ADDRESS}
     * @param more further flags
     */
    public static Process start(
            Path folder, String name, URI clients, int peers, String advertised, String members, String... more)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                PROGRAM,
                "--name=" + name,
                "--data-dir=" + folder.resolve("data-" + name),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=http://127.0.0.1:" + peers,
                "--initial-advertise-peer-urls=" + advertised,
                "--initial-cluster=" + members));
        words.addAll(List.of(more));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(said(folder, name).toFile()))
                .start();
    }

    /**
     * Waits until it accepts connections.
     *
     * @throws IOException with what it said, if it ends instead
     */
    public static void awaitServing(Path folder, String name, URI clients, Process process) throws IOException {
        Listening.awaitOn(clients.getPort(), "etcd", process, said(folder, name));
    }

    private static Path said(Path folder, String name) {
        return folder.resolve("said-" + name);
    }

    /** Ends it at once, as a failing machine does; what it holds stays. */
    public static void kill(Process process) {
        process.destroyForcibly();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("etcd does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
