package io.plat.http.process;

import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateOrder;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server's life in small, led once at the end of the build: it starts with certificates of its own, is asked a little by a member
 * of {@code system:masters}, and stops. The JVM writes down what it loaded, linked and found busy meanwhile, and every later start
 * begins with that (JEP 514, JEP 515). Not for use by many threads.
 */
public final class Rehearsal implements AutoCloseable {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final Path folder;

    /** What the server is asked. */
    @FunctionalInterface
    public interface Questions {
        /** Asks by a client that trusts the server and is trusted by it. */
        void ask(Client client) throws IOException, InterruptedException;
    }

    /** A client of the server under rehearsal. */
    public static final class Client {
        private final HttpClient http;
        private final String server;

        private Client(HttpClient http, String server) {
            this.http = http;
            this.server = server;
        }

        /**
         * Sends a request; an empty body is none.
         *
         * @return the body of the answer
         * @throws IOException if the answer is not a success: a rehearsal of failures would be of no use
         */
        public String send(String method, String path, String json) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(server + path))
                    .header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(json))
                    .build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) {
                throw new IOException(
                        method + " " + path + " was answered " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        }
    }

    /** Makes the certificates, in a temporary folder. */
    public Rehearsal() throws IOException {
        folder = Files.createTempDirectory("plat-rehearsal");
        CertificateAuthority authority = CertificateAuthority.create("rehearsal", VALIDITY, InstantSource.system());
        write("ca", authority.identity());
        write(
                "server",
                authority.issue(CertificateOrder.server("server", "localhost", "127.0.0.1")
                        .validFor(VALIDITY)));
        write(
                "client",
                authority.issue(
                        CertificateOrder.client("client", "system:masters").validFor(VALIDITY)));
    }

    private void write(String name, TlsIdentity identity) throws IOException {
        Files.writeString(file(name + ".crt"), PemText.certificates(identity.chain()));
        Files.writeString(file(name + ".key"), PemText.privateKey(identity.key()));
    }

    /** A file of the rehearsal's own folder, which is gone after it. */
    public Path file(String name) {
        return folder.resolve(name);
    }

    /**
     * Starts a server, has it asked and stops it.
     *
     * @param flags the flags beside those about certificates and the port
     * @throws IOException if it does not start or an answer is no success
     */
    public void run(ServerProgram program, List<String> flags, Questions questions)
            throws IOException, InterruptedException {
        ProcessLogging.configure();
        List<String> all = new ArrayList<>(List.of(
                "--secure-port=0",
                "--tls-cert-file=" + file("server.crt"),
                "--tls-private-key-file=" + file("server.key"),
                "--client-ca-file=" + file("ca.crt")));
        all.addAll(flags);
        ServerProcess.Started started =
                new ServerProcess(program, running -> {}, System.out, System.err).start(all.toArray(String[]::new));
        ServerProgram.Running running =
                started.running().orElseThrow(() -> new IOException("the server did not start"));
        try (HttpClient http = client()) {
            questions.ask(new Client(http, running.url()));
        } finally {
            running.stop();
        }
    }

    private HttpClient client() throws IOException {
        var config = new ClientTls.Config(
                PemSource.file(file("ca.crt")),
                PemSource.file(file("client.crt")),
                PemSource.file(file("client.key")),
                null);
        try {
            return HttpClient.newBuilder()
                    .sslContext(ClientTls.read(config, InstantSource.system()).context())
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
        } catch (PemException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
