package io.plat.tests.process;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * An etcd of the test's own, on loopback, in a folder that goes with it. Which one is said by the system property {@code plat.etcd}; else
 * that of the system.
 */
public final class EtcdServer implements AutoCloseable {
    private static final String PROGRAM = System.getProperty("plat.etcd", "etcd");

    private final Path folder;
    private final int clients;
    private final int peers;
    private final boolean durable;
    private Process process;

    private EtcdServer(Path folder, int clients, int peers, boolean durable) throws IOException {
        this.folder = folder;
        this.durable = durable;
        this.clients = clients;
        this.peers = peers;
        this.process = run();
    }

    /** Starts one; skips the test where there is none. */
    public static EtcdServer start() {
        return start(false);
    }

    /** Starts one that synchronises its disk, as in service; skips the test where there is none. */
    public static EtcdServer startDurable() {
        return start(true);
    }

    private static EtcdServer start(boolean durable) {
        assumeThat(Command.installed(PROGRAM)).as("etcd is not installed").isTrue();
        try {
            return new EtcdServer(
                    Files.createTempDirectory("plat-etcd"), Listening.freePort(), Listening.freePort(), durable);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process run() throws IOException {
        String client = url();
        String peer = "http://127.0.0.1:" + peers;
        Path said = folder.resolve("said");
        Process started = new ProcessBuilder(List.of(
                        PROGRAM,
                        "--name=one",
                        "--data-dir=" + folder.resolve("data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=one=" + peer,
                        // Alone, it has nobody to wait for before it leads.
                        "--heartbeat-interval=10",
                        "--election-timeout=100",
                        // Tests end with their files, and many of them write.
                        "--unsafe-no-fsync=" + !durable))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Listening.awaitOn(clients, "etcd", started, said);
        return started;
    }

    /** Where clients find it. */
    public String url() {
        return "http://127.0.0.1:" + clients;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Ends it at once, as a failing machine does; what it holds stays. */
    public void kill() {
        process.destroyForcibly();
        ended();
    }

    /** Starts it again with what it held, at the same address. */
    public void startAgain() {
        try {
            process = run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ended() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("etcd does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Objects.requireNonNull(process).destroyForcibly();
        ended();
        Folders.delete(folder);
    }
}
