package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A decider that decides by the sample role objects, and an apiserver-lite that delegates every decision to it. Clients: {@code admin}
 * (system:masters), {@code alice} (developer of team-a), {@code olivia} (operator), {@code carol} (auditor), {@code mallory} (no
 * permissions).
 */
public final class DelegatingSystem implements AutoCloseable {
    private final TestPki pki;
    private final Path data;
    private final Path deciderLauncher;
    private final RunningServer server;
    private RunningServer decider;

    private DelegatingSystem(
            TestPki pki, Path data, Path deciderLauncher, RunningServer decider, RunningServer server) {
        this.pki = pki;
        this.data = data;
        this.deciderLauncher = deciderLauncher;
        this.decider = decider;
        this.server = server;
    }

    /** Starts both in the JVM that tests share ({@link Program#reused}), with additional flags of the server. */
    public static DelegatingSystem start(String... serverFlags) {
        return start(createPki(), Program.DECIDER.reused(), Program.APISERVER_LITE.reused(), serverFlags);
    }

    /** Starts both as processes of their own, with additional flags of the server. */
    public static DelegatingSystem startProcesses(String... serverFlags) {
        return startWithJavaOptions("", serverFlags);
    }

    /** Starts both as processes, with additional JVM options of the API server, such as a small heap. */
    public static DelegatingSystem startWithJavaOptions(String javaOptions, String... serverFlags) {
        TestPki pki = createPki();
        Path launcher = Program.APISERVER_LITE.launcherAfter(
                pki.directory(), "export JAVA_OPTS=\"$JAVA_OPTS " + javaOptions + "\"");
        return start(pki, Program.DECIDER.launcher(), launcher, serverFlags);
    }

    private static TestPki createPki() {
        return TestPki.create()
                .client("apiserver-lite")
                .client("admin", "system:masters")
                .client("alice", "team-a-developers")
                .client("olivia", "operators")
                .client("carol", "auditors")
                .client("mallory");
    }

    private static DelegatingSystem start(
            TestPki pki, Path deciderLauncher, Path serverLauncher, String... serverFlags) {
        RunningServer decider = startDecider(deciderLauncher, pki, 0);
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        try {
            Path data = Files.createTempDirectory("plat-data");
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--data-dir=" + data,
                    "--authorization-mode=Webhook",
                    "--authorization-webhook-config-file=" + pki.file("webhook.conf"),
                    "--runtime-config=authorization.plat.io/v1beta1=true"));
            flags.addAll(List.of(serverFlags));
            return new DelegatingSystem(
                    pki, data, deciderLauncher, decider, RunningServer.start(serverLauncher, flags));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RunningServer startDecider(Path launcher, TestPki pki, int port) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=" + port,
                "--allowed-client-names=apiserver-lite",
                "--authorization-mode=RBAC",
                "--authorization-rbac-path=" + Checkout.path("conf/samples/rbac")));
        return RunningServer.start(launcher, flags);
    }

    /** Returns the certificates. */
    public TestPki pki() {
        return pki;
    }

    /** Returns the API server. */
    public RunningServer server() {
        return server;
    }

    /** Returns the current decider. */
    public RunningServer decider() {
        return decider;
    }

    /** Returns a URL of the API server. */
    public URI at(String path) {
        return server.at(path);
    }

    /** Restarts the decider on the same port. */
    public void restartDecider() {
        int port = decider.port();
        decider.close();
        decider = startDecider(deciderLauncher, pki, port);
    }

    /** Returns a client configuration file for one of the clients. */
    public Path clientFile(String client) {
        return ClientFiles.write(pki, client + ".conf", server.at(""), client);
    }

    /** Creates an HTTPS client with one of the clients' certificates. */
    public HttpsClient client(String name) {
        return HttpsClient.of(pki, name);
    }

    @Override
    public void close() {
        server.close();
        decider.close();
        Directories.delete(data);
        pki.close();
    }
}
