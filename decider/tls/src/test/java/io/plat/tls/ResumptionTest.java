package io.plat.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateRequest;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client must not bypass a replaced trust bundle by resuming a TLS session. */
final class ResumptionTest {
    private static final TestPki PKI = new TestPki();

    private final Path directory;
    private final ServerSocket listening;
    /** The problem of each reload; {@code ""} for one that succeeded. */
    private final List<String> problems = new CopyOnWriteArrayList<>();

    ResumptionTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.listening = Handshake.listen();
        TestPki.write(directory, "server", PKI.server);
        trust(PKI.ca.certificate());
    }

    @AfterEach
    void close() throws IOException {
        listening.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedUntilTheBundleIsReplaced(String protocol) throws Exception {
        try (ServerTls server = open();
                ClientTls client = client()) {
            assertThat(connect(server, client, protocol)).isEqualTo("full");
            assertThat(connect(server, client, protocol)).isEqualTo("resumed");

            trust(PKI.otherCa.certificate());
            await().until(() -> problems.contains(""));

            assertThat(connect(server, client, protocol)).isEqualTo("refused");
            assertThat(connect(server, client, protocol)).isEqualTo("refused");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aReloadInvalidatesSessions(String protocol) throws Exception {
        try (ServerTls server = open();
                ClientTls client = client()) {
            assertThat(connect(server, client, protocol)).isEqualTo("full");

            TestPki.write(directory, "server", PKI.ca.issue(CertificateRequest.server("next", "localhost")));
            await().until(() -> problems.contains(""));

            assertThat(connect(server, client, protocol)).isEqualTo("full");
            assertThat(connect(server, client, protocol)).isEqualTo("resumed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aFailedReloadKeepsSessions(String protocol) throws Exception {
        try (ServerTls server = open();
                ClientTls client = client()) {
            assertThat(connect(server, client, protocol)).isEqualTo("full");

            Files.writeString(directory.resolve("ca.crt"), "torn");
            await().until(() -> !problems.isEmpty());
            assertThat(problems).doesNotContain("");

            assertThat(connect(server, client, protocol)).isEqualTo("resumed");
        }
    }

    private ServerTls open() throws Exception {
        return new ServerTls(
                ServerTls.Config.requiring(
                        PemSource.file(directory.resolve("server.crt")),
                        PemSource.file(directory.resolve("server.key")),
                        PemSource.file(directory.resolve("ca.crt"))),
                (what, problem) -> problems.add(problem),
                TestPki.CLOCK);
    }

    private static ClientTls client() throws Exception {
        return ClientTls.read(
                new ClientTls.Config(
                        TestPki.certificates(PKI.ca.certificate()),
                        TestPki.chain(PKI.client),
                        TestPki.key(PKI.client),
                        null),
                TestPki.CLOCK);
    }

    private String connect(ServerTls server, ClientTls client, String protocol) {
        Handshake.Outcome outcome = Handshake.run(
                listening,
                server.context(),
                server.clientVerifier(),
                new Handshake.Client(
                        client.context(), "localhost", s -> s.setEnabledProtocols(new String[] {protocol})));
        if (!outcome.passed()) {
            return "refused";
        }
        return outcome.client().resumed() ? "resumed" : "full";
    }

    private void trust(X509Certificate authority) throws IOException {
        Files.writeString(directory.resolve("ca.crt"), PemText.certificates(List.of(authority)));
    }
}
