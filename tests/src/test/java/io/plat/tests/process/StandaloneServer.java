package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An apiserver-lite on its own, which allows every user everything unless it is told otherwise. Client: {@code admin}. */
public final class LoneServer implements AutoCloseable {
    private final TestPki pki;
    private final Path data;
    private final RunningServer server;
    private final HttpsClient client;

    private LoneServer(TestPki pki, Path data, RunningServer server) {
        this.pki = pki;
        this.data = data;
        this.server = server;
        this.client = HttpsClient.of(pki, "admin");
    }

    /** Starts it; further flags come last. */
    public static LoneServer start(String... more) {
        return start("AlwaysAllow", more);
    }

    /** Starts one that decides by the role objects which are written to it; further flags come last. */
    public static LoneServer startWithRoles(String... more) {
        List<String> flags = new ArrayList<>(List.of("--runtime-config=rbac.authorization.plat.io/v1alpha1=true"));
        flags.addAll(List.of(more));
        return start("RBAC", flags.toArray(String[]::new));
    }

    /** Starts one that keeps its objects in an etcd, as others may, and decides by the role objects there; further flags come last. */
    public static LoneServer startWithRolesOn(EtcdServer etcd, String... more) {
        return start(
                "RBAC",
                List.of(
                        "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                        "--storage-backend=etcd3",
                        "--etcd-servers=" + etcd.url()),
                more);
    }

    /** Starts one whose JVM has further options, such as a small heap. */
    public static LoneServer startWithJavaOptions(String javaOptions) {
        return start("AlwaysAllow", javaOptions, List.of());
    }

    private static LoneServer start(String mode, String... more) {
        return start(mode, List.of(), more);
    }

    private static LoneServer start(String mode, List<String> storage, String... more) {
        return start(mode, "", storage, more);
    }

    private static LoneServer start(String mode, String javaOptions, List<String> storage, String... more) {
        try {
            TestPki pki = TestPki.create().client("admin", "system:masters");
            Path data = Files.createTempDirectory("plat-data");
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of("--secure-port=0", "--authorization-mode=" + mode));
            flags.addAll(storage.isEmpty() ? List.of("--data-dir=" + data) : storage);
            flags.addAll(List.of(more));
            RunningServer server = javaOptions.isEmpty()
                    ? RunningServer.start(Program.APISERVER_LITE, flags)
                    : RunningServer.start(
                            Program.APISERVER_LITE.launcherAfter(
                                    pki.folder(), "export JAVA_OPTS=\"$JAVA_OPTS " + javaOptions + "\""),
                            flags);
            return new LoneServer(pki, data, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process. */
    public RunningServer process() {
        return server;
    }

    /** The certificates. */
    public TestPki pki() {
        return pki;
    }

    /** A client that all of a test share. */
    public HttpsClient client() {
        return client;
    }

    /** One of its addresses. */
    public URI at(String path) {
        return server.at(path);
    }

    /** A client configuration file for its client. */
    public Path clientFile() {
        return ClientFiles.write(pki, "admin.conf", server.at(""), "admin");
    }

    @Override
    public void close() {
        // A watch that a failed test left open must not be waited for.
        client.http().shutdownNow();
        client.close();
        server.close();
        Folders.delete(data);
        pki.close();
    }
}
