package io.plat.decider;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.StartException;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.TestingPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/** A decider with a command line, in this process and on a free port. */
final class TestingDecider implements AutoCloseable {
    /** Alice may do everything with pods in team-a; developers may read them; everybody may read /version. */
    static final String ABAC = """
            {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"alice","namespace":"team-a","resource":"pods"}}
            {"apiVersion":"abac.authorization.platform.io/v1beta1","kind":"Policy","spec":{"group":"developers","namespace":"team-a","resource":"pods","readonly":true}}
            {"apiVersion":"abac.authorization.platform.io/v1beta1","kind":"Policy","spec":{"group":"*","nonResourcePath":"/version","readonly":true}}
            """;

    final TestingPki pki = new TestingPki();
    final Path directory;
    final Path policy;
    private final ServerProgram.Running running;

    TestingDecider(Path directory, String... more) {
        this.directory = directory;
        this.policy = directory.resolve("policy.jsonl");
        try {
            pki.write(directory);
            if (!Files.exists(policy)) {
                Files.writeString(policy, ABAC);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = new ArrayList<>(tls(directory));
        arguments.add("--secure-port=0");
        if (List.of(more).stream().noneMatch(argument -> argument.startsWith("--authorization-mode"))) {
            arguments.add("--authorization-mode=ABAC");
            arguments.add("--authorization-policy-file=" + policy);
        }
        arguments.addAll(List.of(more));
        running = start(arguments);
    }

    static List<String> tls(Path directory) {
        return List.of(
                "--tls-cert-file=" + directory.resolve("server.crt"),
                "--tls-private-key-file=" + directory.resolve("server.key"),
                "--client-ca-file=" + directory.resolve("ca.crt"));
    }

    private static ServerProgram.Running start(List<String> arguments) {
        DeciderProgram program = new DeciderProgram("test");
        try {
            if (program.flags().parse(arguments.toArray(String[]::new)) instanceof FlagSet.Request.Run run) {
                ServerProgram.Running started = program.start(run.values());
                started.announced();
                return started;
            }
            throw new AssertionError("must not run: " + arguments);
        } catch (UsageException | StartException e) {
            throw new AssertionError(e);
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(running.url()).getPort());
    }

    RawClient connect(SSLContext client) throws IOException {
        return new RawClient(address(), client);
    }

    RawClient connect() throws IOException {
        return connect(pki.client("alice", "developers"));
    }

    @Override
    public void close() {
        try {
            running.stop();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
