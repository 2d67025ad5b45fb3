package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An etcd of the test's own, on loopback, in a folder that goes with it. */
public final class EtcdServer implements AutoCloseable {
    private static final String NAME = "one";
    private static final int ATTEMPTS = 5;

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

    /** Starts one that was asked for: a machine without fails the test. */
    static EtcdServer startRequired() {
        return startInstalled(false);
    }

    private static EtcdServer start(boolean durable) {
        EtcdProcess.assumeInstalled();
        return startInstalled(durable);
    }

    /** A port that was free may be somebody else's by the time that it is listened on: tests beside this one open many. */
    private static EtcdServer startInstalled(boolean durable) {
        for (int attempt = 1; ; attempt++) {
            try {
                return onFreePorts(durable);
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("address already in use")) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static EtcdServer onFreePorts(boolean durable) throws IOException {
        Path folder = Files.createTempDirectory("plat-etcd");
        try {
            return new EtcdServer(folder, Listening.freePort(), Listening.freePort(), durable);
        } catch (IOException e) {
            Folders.delete(folder);
            throw e;
        }
    }

    private Process run() throws IOException {
        String peer = "http://127.0.0.1:" + peers;
        Process started = EtcdProcess.start(
                folder,
                NAME,
                clients,
                peers,
                peer,
                NAME + "=" + peer,
                // Alone, it has nobody to wait for before it leads.
                "--heartbeat-interval=10",
                "--election-timeout=100",
                // Tests end with their files, and many of them write.
                "--unsafe-no-fsync=" + !durable);
        EtcdProcess.awaitServing(folder, NAME, clients, started);
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
        EtcdProcess.kill(process);
    }

    /** Starts it again with what it held, at the same address. */
    public void startAgain() {
        try {
            process = run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        EtcdProcess.kill(process);
        Folders.delete(folder);
    }
}
