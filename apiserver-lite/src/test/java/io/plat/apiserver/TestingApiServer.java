package io.plat.apiserver;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.UsageException;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;

/** An in-process server with a command line, on a free port. */
final class TestingApiServer implements AutoCloseable {
    private final TestingPki pki;
    private final ServerProgram.Running running;

    private TestingApiServer(TestingPki pki, ServerProgram.Running running) {
        this.pki = pki;
        this.running = running;
    }

    /** Starts a server with files in a directory. */
    static TestingApiServer start(Path directory, String... flags) throws IOException, UsageException, StartException {
        return start(directory, ServerLimits.DEFAULT, flags);
    }

    /** Starts a server with other limits. */
    static TestingApiServer start(Path directory, ServerLimits limits, String... flags)
            throws IOException, UsageException, StartException {
        TestingPki pki = new TestingPki(directory);
        List<String> arguments = new ArrayList<>(List.of(
                "--secure-port=0",
                "--tls-cert-file=" + pki.certificateFile(),
                "--tls-private-key-file=" + pki.keyFile(),
                "--client-ca-file=" + pki.authorityFile(),
                "--data-dir=" + directory.resolve("data")));
        arguments.addAll(List.of(flags));
        return new TestingApiServer(pki, start(new ApiServerProgram(limits), arguments));
    }

    /** Starts a server with these flags only. */
    static ServerProgram.Running start(List<String> arguments) throws UsageException, StartException {
        return start(new ApiServerProgram(), arguments);
    }

    private static ServerProgram.Running start(ServerProgram program, List<String> arguments)
            throws UsageException, StartException {
        return switch (program.flags().parse(arguments.toArray(String[]::new))) {
            case FlagSet.Request.Run run -> program.start(run.values());
            case FlagSet.Request.Print print -> throw new AssertionError(print.text());
        };
    }

    /** Starts the work that follows listening. */
    void announced() {
        running.announced();
    }

    TestingPki pki() {
        return pki;
    }

    InetSocketAddress address() {
        URI url = URI.create(running.url());
        return new InetSocketAddress(url.getHost(), url.getPort());
    }

    TestingClient client(SSLContext tls) {
        return new TestingClient(running.url(), tls);
    }

    /** A member of system:masters. */
    TestingClient admin() {
        return client(pki.client("admin", "system:masters"));
    }

    TestingClient user(String name, String... groups) {
        return client(pki.client(name, groups));
    }

    TestingClient anonymous() {
        return client(pki.clientWithoutCertificate());
    }

    TestingClient token(String token) {
        return anonymous().with("Authorization", "Bearer " + token);
    }

    @Override
    public void close() {
        try {
            running.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
