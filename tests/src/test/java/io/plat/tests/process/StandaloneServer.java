package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A single apiserver-lite, which allows every user everything by default. Client: {@code admin}. It shares its JVM with other tests'
 * ({@link Program#reused}), unless the test starts a process or has JVM options.
 */
public final class StandaloneServer implements AutoCloseable {
    private static final String ETCD = "--storage-backend=etcd3";

    private final TestPki pki;
    private final Path data;
    private final RunningServer server;
    private final HttpsClient client;

    private StandaloneServer(TestPki pki, Path data, RunningServer server) {
        this.pki = pki;
        this.data = data;
        this.server = server;
        this.client = HttpsClient.of(pki, "admin");
    }

    /** Starts it with additional flags. */
    public static StandaloneServer start(String... more) {
        return start("AlwaysAllow", more);
    }

    /** Starts one as a process of its own, with additional flags. */
    public static StandaloneServer startProcess(String... more) {
        return start(Program.APISERVER_LITE.launcher(), "AlwaysAllow", List.of(), more);
    }

    /** Starts one in mode RBAC with additional flags. */
    public static StandaloneServer startWithRoles(String... more) {
        return startWithRoles(Program.APISERVER_LITE.reused(), more);
    }

    /** Starts one in mode RBAC as a process of its own, with additional flags. */
    public static StandaloneServer startProcessWithRoles(String... more) {
        return startWithRoles(Program.APISERVER_LITE.launcher(), more);
    }

    private static StandaloneServer startWithRoles(Path launcher, String... more) {
        return start(launcher, "RBAC", List.of("--runtime-config=rbac.authorization.plat.io/v1alpha1=true"), more);
    }

    /** Starts one in mode RBAC on a shared etcd, with additional flags. */
    public static StandaloneServer startWithRolesOn(EtcdServer etcd, String... more) {
        return startWithRolesOn(etcd, Program.APISERVER_LITE.reused(), more);
    }

    /** Starts one in mode RBAC on a shared etcd as a process of its own, with additional flags. */
    public static StandaloneServer startProcessWithRolesOn(EtcdServer etcd, String... more) {
        return startWithRolesOn(etcd, Program.APISERVER_LITE.launcher(), more);
    }

    private static StandaloneServer startWithRolesOn(EtcdServer etcd, Path launcher, String... more) {
        return start(
                launcher,
                "RBAC",
                List.of(
                        "--runtime-config=rbac.authorization.plat.io/v1alpha1=true",
                        ETCD,
                        "--etcd-servers=" + etcd.url()),
                more);
    }

    /** Starts one with JVM options, such as a small heap. */
    public static StandaloneServer startWithJavaOptions(String javaOptions) {
        return start(Program.APISERVER_LITE.launcher(), javaOptions, "AlwaysAllow", List.of());
    }

    private static StandaloneServer start(String mode, String... more) {
        return start(Program.APISERVER_LITE.reused(), mode, List.of(), more);
    }

    private static StandaloneServer start(Path launcher, String mode, List<String> first, String... more) {
        return start(launcher, "", mode, first, more);
    }

    private static StandaloneServer start(
            Path launcher, String javaOptions, String mode, List<String> first, String... more) {
        try {
            TestPki pki = TestPki.create().client("admin", "system:masters");
            Path data = Files.createTempDirectory("plat-data");
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of("--secure-port=0", "--authorization-mode=" + mode));
            flags.addAll(first);
            flags.addAll(List.of(more));
            if (!first.contains(ETCD)) {
                flags.add("--data-dir=" + data);
            }
            RunningServer server = javaOptions.isEmpty()
                    ? RunningServer.start(launcher, flags)
                    : RunningServer.start(
                            Program.APISERVER_LITE.launcherAfter(
                                    pki.directory(), "export JAVA_OPTS=\"$JAVA_OPTS " + javaOptions + "\""),
                            flags);
            return new StandaloneServer(pki, data, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the process. */
    public RunningServer process() {
        return server;
    }

    /** Returns the certificates. */
    public TestPki pki() {
        return pki;
    }

    /** Returns the shared client of a test. */
    public HttpsClient client() {
        return client;
    }

    /** Returns one of its URLs. */
    public URI at(String path) {
        return server.at(path);
    }

    /** Returns a client configuration file for its client. */
    public Path clientFile() {
        return ClientFiles.write(pki, "admin.conf", server.at(""), "admin");
    }

    @Override
    public void close() {
        // A watch left open by a failed test must not delay the shutdown.
        client.http().shutdownNow();
        client.close();
        server.close();
        Directories.delete(data);
        pki.close();
    }
}
