package io.plat.http.process;

import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
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

/**
 * Client of a server's training run: issues certificates and sends requests. It is a separate program, so that its classes are not recorded as the
 * server's (see {@link TrainingRun}).
 */
record TrainingClient(Path directory) {
    /** Names of the certificates and keys. */
    static final String AUTHORITY = "ca";

    static final String SERVER = "server";
    static final String CLIENT = "client";

    private static final Duration VALIDITY = Duration.ofDays(1);

    /**
     * Runs it.
     *
     * @param arguments a directory in which it issues certificates; or a directory with them, the URL of a server and a file with a request on each line:
     * method, path and body, with one space between
     * @throws IOException if a file cannot be read or written, or a response is not a success, as failures would be useless training
     */
    public static void main(String[] arguments) throws IOException, InterruptedException, PemException {
        TrainingClient client = new TrainingClient(Path.of(arguments[0]));
        if (arguments.length == 1) {
            client.makeCertificates();
        } else {
            client.sendAll(arguments[1], Path.of(arguments[2]));
        }
    }

    private void makeCertificates() throws IOException {
        CertificateAuthority authority = CertificateAuthority.create("training", VALIDITY, InstantSource.system());
        write(AUTHORITY, authority.identity());
        write(
                SERVER,
                authority.issue(CertificateRequest.server("server", "localhost", "127.0.0.1")
                        .validFor(VALIDITY)));
        write(
                CLIENT,
                authority.issue(
                        CertificateRequest.client("client", "system:masters").validFor(VALIDITY)));
    }

    private void write(String name, TlsIdentity identity) throws IOException {
        Files.writeString(directory.resolve(name + ".crt"), PemText.certificates(identity.chain()));
        Files.writeString(directory.resolve(name + ".key"), PemText.privateKey(identity.key()));
    }

    private void sendAll(String server, Path requests) throws IOException, InterruptedException, PemException {
        var config = new ClientTls.Config(
                PemSource.file(directory.resolve(AUTHORITY + ".crt")),
                PemSource.file(directory.resolve(CLIENT + ".crt")),
                PemSource.file(directory.resolve(CLIENT + ".key")),
                null);
        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(ClientTls.read(config, InstantSource.system()).context())
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            for (String line : Files.readAllLines(requests)) {
                String[] words = line.split(" ", 3);
                HttpRequest request = HttpRequest.newBuilder(URI.create(server + words[1]))
                        .header("Content-Type", "application/json")
                        .method(words[0], HttpRequest.BodyPublishers.ofString(words[2]))
                        .build();
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() >= 300) {
                    throw new IOException(
                            words[0] + " " + words[1] + " was answered " + answer.statusCode() + ": " + answer.body());
                }
            }
        }
    }
}
