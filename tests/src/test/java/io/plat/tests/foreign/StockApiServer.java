package io.plat.tests.foreign;

import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Command;
import io.plat.tests.process.Directories;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.GoProgram;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A stock kube-apiserver with its own etcd, in mode RBAC, optionally after mode Webhook. Its certificates are those of the tests. */
public final class StockApiServer implements AutoCloseable {
    private static final Path PROGRAM = Checkout.path("tests/target/kubeapiserver");
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TestPki pki;
    private final Path directory;
    private final Process etcd;
    private final List<String> command;
    private final int port;
    private Process server;

    private StockApiServer(TestPki pki, Path directory, Process etcd, List<String> command, int port) {
        this.pki = pki;
        this.directory = directory;
        this.etcd = etcd;
        this.command = command;
        this.port = port;
        this.server = run(directory, "server", command);
    }

    /**
     * Compiles it, which takes half an hour of CPU time at first; skips the test if that is not possible.
     *
     * @throws AssertionError if it does not compile
     */
    public static void build() {
        assumeThat(Command.installed("etcd")).as("etcd is not installed").isTrue();
        assumeThat(Command.installed("kubectl")).as("kubectl is not installed").isTrue();
        String source = Checkout.path("tests/src/test/go/kubeapiserver").toString();
        GoProgram.run(Duration.ofHours(1), "build", "-C", source, "-o", PROGRAM.toString(), ".");
    }

    /**
     * Starts it, and returns when it is ready.
     *
     * @param pki has client certificates {@code admin}, of {@code system:masters}, and {@code kube-apiserver}
     * @param webhook client configuration file of its decider
     */
    static StockApiServer start(TestPki pki, Path webhook) throws IOException {
        return startWith(
                pki,
                "--authorization-mode=Webhook,RBAC",
                "--authorization-webhook-config-file=" + webhook,
                "--authorization-webhook-version=v1",
                // Disables the cache of decisions.
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s");
    }

    /**
     * Starts it with these flags, and returns when it is ready.
     *
     * @param pki has the client certificate {@code admin}, of {@code system:masters}
     */
    public static StockApiServer startWith(TestPki pki, String... flags) throws IOException {
        Path directory = Files.createTempDirectory("plat-stock");
        int etcdPort = ForeignServer.freePort();
        int peerPort = ForeignServer.freePort();
        String store = "http://127.0.0.1:" + etcdPort;
        String peer = "http://127.0.0.1:" + peerPort;
        Process etcd = run(
                directory,
                "etcd",
                List.of(
                        "etcd",
                        "--data-dir=" + directory.resolve("etcd.data"),
                        "--listen-client-urls=" + store,
                        "--advertise-client-urls=" + store,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer));
        ForeignServer.awaitOn(etcdPort, "etcd", etcd, directory.resolve("etcd"));
        int port = ForeignServer.freePort();
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "--etcd-servers=" + store,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--tls-cert-file=" + pki.file("server.crt"),
                "--tls-private-key-file=" + pki.file("server.key"),
                "--client-ca-file=" + pki.file("ca.crt"),
                "--cert-dir=" + directory,
                "--service-cluster-ip-range=10.0.0.0/24"));
        command.addAll(List.of(
                "--service-account-issuer=https://issuer.example",
                "--service-account-key-file=" + pki.file("server.key"),
                "--service-account-signing-key-file=" + pki.file("server.key")));
        command.addAll(List.of(flags));
        StockApiServer started = new StockApiServer(pki, directory, etcd, command, port);
        try {
            started.awaitReady();
            return started;
        } catch (RuntimeException | AssertionError e) {
            started.close();
            throw e;
        }
    }

    private static Process run(Path directory, String name, List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve(name).toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its address. */
    public URI address() {
        return URI.create("https://localhost:" + port);
    }

    /** Stops it and keeps its data. */
    void stop() throws InterruptedException {
        server.destroy();
        if (!server.waitFor(1, TimeUnit.MINUTES)) {
            server.destroyForcibly().waitFor();
        }
    }

    /** Restarts it with its data, and returns when it is ready. */
    void startAgain() {
        server = run(directory, "server", command);
        awaitReady();
    }

    private void awaitReady() {
        try (HttpsClient client = HttpsClient.of(pki, "admin")) {
            await("the stock API server").atMost(TIMEOUT).until(() -> {
                if (!server.isAlive()) {
                    throw new AssertionError(Files.readString(directory.resolve("server")));
                }
                return isReady(client);
            });
        }
    }

    private boolean isReady(HttpsClient client) {
        try {
            return client.get(address().resolve("/readyz")).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        for (Process process : List.of(server, etcd)) {
            process.destroyForcibly().onExit().join();
        }
        Directories.delete(directory);
    }
}
