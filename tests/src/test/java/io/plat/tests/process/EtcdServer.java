package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An etcd of the test, on loopback, in a temporary directory. */
public final class EtcdServer implements AutoCloseable {
    private static final String NAME = "one";
    private static final int ATTEMPTS = 5;

    private final Path directory;
    private final URI clients;
    private final int peers;
    private final Kind kind;
    private Process process;

    /**
     * Options of an etcd.
     *
     * @param durable whether it syncs its disk
     * @param secured TLS flags; empty for plain HTTP
     */
    private record Kind(boolean durable, List<String> secured) {
        static final Kind FORGETFUL = new Kind(false, List.of());

        URI clients(int port) {
            return URI.create((secured.isEmpty() ? "http" : "https") + "://127.0.0.1:" + port);
        }
    }

    private EtcdServer(Path directory, int clients, int peers, Kind kind) throws IOException {
        this.directory = directory;
        this.kind = kind;
        this.clients = kind.clients(clients);
        this.peers = peers;
        this.process = run();
    }

    /** Starts one; skips the test if etcd is missing. */
    public static EtcdServer start() {
        return start(Kind.FORGETFUL);
    }

    /** Starts one that syncs its disk, as in production; skips the test if etcd is missing. */
    public static EtcdServer startDurable() {
        return start(new Kind(true, List.of()));
    }

    /**
     * Starts one with mutual TLS, as in production; skips the test if etcd is missing.
     *
     * @param authorities client CA file, which may be replaced while etcd is stopped
     */
    public static EtcdServer startSecured(TestPki pki, Path authorities) {
        return start(new Kind(
                false,
                List.of(
                        "--cert-file=" + pki.file("server.crt"),
                        "--key-file=" + pki.file("server.key"),
                        "--trusted-ca-file=" + authorities,
                        "--client-cert-auth")));
    }

    /** Starts one that was explicitly selected: the test fails if etcd is missing. */
    static EtcdServer startRequired() {
        return startInstalled(Kind.FORGETFUL);
    }

    private static EtcdServer start(Kind kind) {
        EtcdProcess.assumeInstalled();
        return startInstalled(kind);
    }

    /** A free port may be taken before it is used, as concurrent tests open many. */
    private static EtcdServer startInstalled(Kind kind) {
        for (int attempt = 1; ; attempt++) {
            try {
                return onFreePorts(kind);
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("address already in use")) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private static EtcdServer onFreePorts(Kind kind) throws IOException {
        Path directory = Files.createTempDirectory("plat-etcd");
        try {
            return new EtcdServer(directory, ForeignServer.freePort(), ForeignServer.freePort(), kind);
        } catch (IOException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    private Process run() throws IOException {
        String peer = "http://127.0.0.1:" + peers;
        List<String> flags = new ArrayList<>(List.of(
                // A single member need not wait for an election.
                "--heartbeat-interval=10",
                "--election-timeout=100",
                // Tests delete their data, and many of them write.
                "--unsafe-no-fsync=" + !kind.durable()));
        flags.addAll(kind.secured());
        Process started = EtcdProcess.start(
                directory, NAME, clients, peers, peer, NAME + "=" + peer, flags.toArray(String[]::new));
        EtcdProcess.awaitServing(directory, NAME, clients, started);
        return started;
    }

    /** Returns the URL for clients. */
    public String url() {
        return clients.toString();
    }

    /** Returns its process id. */
    public long pid() {
        return process.pid();
    }

    /** Kills it, like a failing machine; its data stays. */
    public void kill() {
        EtcdProcess.kill(process);
    }

    /** Restarts it with its data, at the same address. */
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
        Directories.delete(directory);
    }
}
