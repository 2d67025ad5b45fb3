package io.plat.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.TlsIdentity;
import io.plat.tls.x509.TrustBundle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Changed files: the new material as a whole, or the last valid one. */
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
final class ReloadTest {
    private static final TestPki PKI = new TestPki();
    private static final TlsIdentity NEXT = PKI.ca.issue(CertificateRequest.server("next", "localhost"));
    private static final TlsIdentity STRANGER = PKI.otherCa.issue(CertificateRequest.client("stranger"));

    private final Path directory;
    private final RecordingListener listener = new RecordingListener();

    ReloadTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        TestPki.write(directory, "server", PKI.server);
        Files.writeString(directory.resolve("ca.crt"), PemText.certificates(List.of(PKI.ca.certificate())));
    }

    private static final class RecordingListener implements ReloadListener {
        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void reloaded(String what, String problem) {
            events.add(problem.isEmpty() ? "reloaded " + what : "kept " + what + ": " + problem);
        }
    }

    private ServerTls open() throws PemException {
        return new ServerTls(
                ServerTls.Config.requiring(
                        PemSource.file(directory.resolve("server.crt")),
                        PemSource.file(directory.resolve("server.key")),
                        PemSource.file(directory.resolve("ca.crt"))),
                listener,
                TestPki.CLOCK);
    }

    /** Changes files of a directory. */
    @FunctionalInterface
    private interface Change {
        void make(Path directory) throws IOException;
    }

    /** A change that cannot be used, and the reason. */
    private record Unusable(String name, Change change, String problem) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Unusable> UNUSABLE = List.of(
            new Unusable(
                    "the key is not replaced yet",
                    directory -> put(directory, "server.crt", PemText.certificates(NEXT.chain())),
                    "the private key does not belong to the first certificate of "),
            new Unusable(
                    "the certificate is not replaced yet",
                    directory -> put(directory, "server.key", PemText.privateKey(NEXT.key())),
                    "the private key does not belong to the first certificate of "),
            new Unusable(
                    "the certificate is half written",
                    directory -> put(
                            directory,
                            "server.crt",
                            PemText.certificates(NEXT.chain()).substring(0, 200)),
                    "this 'CERTIFICATE' has no END line, the file is incomplete"),
            new Unusable(
                    "the key is half written",
                    directory -> put(
                            directory,
                            "server.key",
                            PemText.privateKey(PKI.server.key()).substring(0, 100)),
                    "this 'EC PRIVATE KEY' has no END line, the file is incomplete"),
            new Unusable(
                    "the key is empty", directory -> put(directory, "server.key", ""), "is empty, expected PEM text"),
            new Unusable(
                    "the certificate is missing",
                    directory -> Files.delete(directory.resolve("server.crt")),
                    "no such file"),
            new Unusable(
                    "an expired pair",
                    directory -> TestPki.write(directory, "server", PKI.expiredServer()),
                    "the certificate is valid from 2025-04-27T11:55:00Z to 2025-08-05T12:00:00Z only"),
            new Unusable(
                    "a client's pair",
                    directory -> TestPki.write(directory, "server", PKI.client),
                    "the certificate was not issued for server authentication"),
            new Unusable(
                    "a bundle without a certificate",
                    directory -> put(directory, "ca.crt", "none\n"),
                    "expected at least one 'CERTIFICATE', found no PEM block"),
            new Unusable(
                    "a half-written bundle",
                    directory -> put(
                            directory,
                            "ca.crt",
                            PemText.certificates(STRANGER.chain()).substring(0, 200)),
                    "this 'CERTIFICATE' has no END line, the file is incomplete"));

    @ParameterizedTest
    @FieldSource("UNUSABLE")
    void invalidFilesChangeNothing(Unusable unusable) throws Exception {
        try (ServerTls server = open()) {
            List<LoadedCertificate> before = server.certificates();

            unusable.change.make(directory);

            await().untilAsserted(() -> assertThat(listener.events)
                    .last()
                    .asString()
                    .startsWith("kept serving-certificate: " + directory)
                    .contains(": " + unusable.problem));
            assertThat(server.certificates()).isEqualTo(before);
            assertThat(connect(server, PKI.client).passed()).isTrue();
            assertThat(connect(server, STRANGER).passed()).isFalse();
        }
    }

    @ParameterizedTest
    @FieldSource("UNUSABLE")
    void invalidFilesAreRefusedAtTheStart(Unusable unusable) throws Exception {
        unusable.change.make(directory);

        if (unusable.name.equals("an expired pair")) {
            // An expired certificate is used if there is no other, as in other servers; the log reports it.
            try (ServerTls server = open()) {
                assertThat(server.identity().leaf().getNotAfter()).isBefore(Date.from(TestPki.NOW));
            }
        } else {
            assertThatExceptionOfType(PemException.class)
                    .isThrownBy(this::open)
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith(directory.toString())
                            .contains(": " + unusable.problem));
        }
    }

    @Test
    void anExpiredPairIsReplacedByAnyOther() throws Exception {
        TestPki.write(directory, "server", PKI.expiredServer());
        try (ServerTls server = open()) {
            TlsIdentity alsoExpired = PKI.expiredServer();
            TestPki.write(directory, "server", alsoExpired);

            await().until(() -> server.identity().equals(alsoExpired));
        }
    }

    @Test
    void theNextHandshakeUsesANewPair() throws Exception {
        try (ServerTls server = open()) {
            assertThat(connect(server, PKI.client).passed()).isTrue();

            TestPki.write(directory, "server", NEXT);

            await().until(() -> server.identity().equals(NEXT));
            assertThat(connect(server, PKI.client).passed()).isTrue();
            assertThat(listener.events).contains("reloaded serving-certificate");
        }
    }

    @Test
    void theNextHandshakeUsesAReplacedAuthority() throws Exception {
        try (ServerTls server = open()) {
            assertThat(connect(server, STRANGER).passed()).isFalse();

            put(directory, "ca.crt", PemText.certificates(List.of(PKI.otherCa.certificate())));

            await().untilAsserted(() -> assertThat(server.certificates())
                    .extracting(LoadedCertificate::subject)
                    .contains("CN=other CA"));
            assertThat(connect(server, PKI.client).passed()).isFalse();
            assertThat(connect(server, STRANGER).passed()).isTrue();
        }
    }

    @Test
    void aSwappedDirectoryOfAMountedSecretIsDetected() throws Exception {
        // As mounted secrets are: files are links through ..data, which is replaced by a rename.
        Path mount = Files.createDirectory(directory.resolve("mount"));
        generation(mount, "..1", PKI.server);
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(mount.resolve("tls.crt"), Path.of("..data", "tls.crt"));
        Files.createSymbolicLink(mount.resolve("tls.key"), Path.of("..data", "tls.key"));
        ServerTls.Config config = ServerTls.Config.requesting(
                PemSource.file(mount.resolve("tls.crt")), PemSource.file(mount.resolve("tls.key")));
        try (ServerTls server = new ServerTls(config, listener, TestPki.CLOCK)) {
            generation(mount, "..2", NEXT);
            Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2"));
            Files.move(mount.resolve("..data_tmp"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

            await().until(() -> server.identity().equals(NEXT));
            assertThat(listener.events).doesNotContain("kept serving-certificate");
        }
    }

    private static void generation(Path mount, String name, TlsIdentity identity) throws IOException {
        TestPki.write(Files.createDirectory(mount.resolve(name)), "tls", identity);
    }

    @Test
    void clientsReloadToo() throws Exception {
        TestPki.write(directory, "client", STRANGER);
        ClientTls.Config config = new ClientTls.Config(
                PemSource.file(directory.resolve("ca.crt")),
                PemSource.file(directory.resolve("client.crt")),
                PemSource.file(directory.resolve("client.key")),
                null);
        try (ServerTls server = open();
                ClientTls client = ClientTls.open(config, listener, TestPki.CLOCK)) {
            assertThat(Handshake.run(server, client.context()).passed()).isFalse();

            TestPki.write(directory, "client", PKI.client);

            await().until(() -> client.identity().equals(Optional.of(PKI.client)));
            assertThat(Handshake.run(server, client.context()).passed()).isTrue();
            assertThat(listener.events).contains("reloaded client-certificate");
            assertThat(client.certificates())
                    .extracting(LoadedCertificate::what, LoadedCertificate::subject)
                    .contains(
                            Tuple.tuple("server-ca", "CN=test CA"),
                            Tuple.tuple(
                                    "client-certificate",
                                    PKI.client.leaf().getSubjectX500Principal().getName()));
        }
    }

    @Test
    void aBundleAloneReloads() throws Exception {
        Path file = directory.resolve("ca.crt");
        try (WatchedFiles<TrustBundle> trust = new WatchedFiles<>(
                "client-ca",
                List.of(file),
                FileWatch.Settings.SELF_CHECKING,
                _ -> TrustBundle.read(PemSource.file(file)),
                problem -> listener.reloaded("client-ca", problem))) {
            put(directory, "ca.crt", PemText.certificates(List.of(PKI.otherCa.certificate())));

            await().until(() -> trust.get().certificates().contains(PKI.otherCa.certificate()));
            assertThat(listener.events).contains("reloaded client-ca");
        }
    }

    @Test
    void expiryOfCertificatesIsReported() throws Exception {
        try (ServerTls server = open()) {
            assertThat(server.certificates())
                    .extracting(LoadedCertificate::what, LoadedCertificate::notAfterEpochSeconds)
                    .containsExactly(
                            Tuple.tuple(
                                    "serving-certificate",
                                    TestPki.NOW.plus(Duration.ofDays(365)).getEpochSecond()),
                            Tuple.tuple(
                                    "client-ca",
                                    TestPki.NOW.plus(Duration.ofDays(3650)).getEpochSecond()));
        }
    }

    private static Handshake.Outcome connect(ServerTls server, TlsIdentity identity) throws PemException {
        ClientTls.Config config = new ClientTls.Config(
                TestPki.certificates(PKI.ca.certificate()), TestPki.chain(identity), TestPki.key(identity), null);
        try (ClientTls client = ClientTls.read(config, TestPki.CLOCK)) {
            return Handshake.run(server, client.context());
        }
    }

    private static void put(Path directory, String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text, StandardCharsets.US_ASCII);
    }
}
