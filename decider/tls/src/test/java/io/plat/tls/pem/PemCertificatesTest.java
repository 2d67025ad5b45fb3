package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class PemCertificatesTest {
    private static final CertificateAuthority CA =
            CertificateAuthority.create("ca", Duration.ofDays(10), InstantSource.system());
    private static final X509Certificate LEAF =
            CA.issue(CertificateRequest.client("jane")).leaf();
    private static final String TEXT = PemText.certificates(List.of(LEAF));

    private final Path directory;

    PemCertificatesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Text around and between certificates that readers skip. */
    private record Accepted(String name, String text, int certificates) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Accepted> ACCEPTED = List.of(
            new Accepted("one", TEXT, 1),
            new Accepted("a bundle", TEXT + TEXT + TEXT, 3),
            new Accepted("explanations", "subject=jane\nissuer: ca\n" + TEXT + "\n# the end\n", 1),
            new Accepted("Windows line ends", TEXT.replace("\n", "\r\n"), 1),
            new Accepted("spaces around lines", TEXT.replace("\n", "  \n\t"), 1),
            new Accepted("no final line end", TEXT.stripTrailing(), 1),
            new Accepted("one long line of base64", TEXT.replaceAll("(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])", ""), 1),
            new Accepted("the earlier name", TEXT.replace(" CERTIFICATE-", " X509 CERTIFICATE-"), 1),
            new Accepted("a key before it", PemText.privateKey(CA.identity().key()) + TEXT, 1));

    @ParameterizedTest
    @FieldSource("ACCEPTED")
    void readsEveryCertificate(Accepted accepted) throws PemException {
        List<X509Certificate> read = PemCertificates.read(inline(accepted.text));

        assertThat(read).hasSize(accepted.certificates).containsOnly(LEAF);
    }

    /** Text that is no certificate, and the resulting message. */
    private record Bad(String name, String text, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Bad> MALFORMED = List.of(
            new Bad("empty", "", "c: is empty, expected PEM text"),
            new Bad("no PEM", "\u0000\u0001", "c: expected at least one 'CERTIFICATE', found no PEM block"),
            new Bad(
                    "a key",
                    PemText.privateKey(CA.identity().key()),
                    "c: expected at least one 'CERTIFICATE', found 'EC PRIVATE KEY'"),
            new Bad(
                    "no DER",
                    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
                    "c:1: not an X.509 certificate in DER"),
            new Bad(
                    "the second one is broken",
                    TEXT + "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----",
                    "c:" + (TEXT.lines().count() + 1) + ": not an X.509 certificate in DER"),
            new Bad(
                    "the second one is torn",
                    TEXT + TEXT.substring(0, 100),
                    "c:" + (TEXT.lines().count() + 1)
                            + ": this 'CERTIFICATE' has no END line, the file is incomplete"));

    @ParameterizedTest
    @FieldSource("MALFORMED")
    void reportsLocationAndProblem(Bad bad) {
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(inline(bad.text)))
                .withMessage(bad.message);
    }

    @Test
    void everyByteOfACertificateCounts() throws Exception {
        byte[] der = LEAF.getEncoded();
        byte[] longer = Arrays.copyOf(der, der.length + 1);
        String text = "-----BEGIN CERTIFICATE-----\n" + Base64.getEncoder().encodeToString(longer)
                + "\n-----END CERTIFICATE-----";

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(inline(text)))
                .withMessage("c:1: bytes follow the certificate in its block");
    }

    @Test
    void refusesPathsThatAreNotRegularFiles() {
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(PemSource.file(directory)))
                .withMessage(directory + ": is a directory, expected a file of PEM text");
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(PemSource.file(directory.resolve("absent"))))
                .withMessage(directory.resolve("absent") + ": no such file");
    }

    @Test
    void refusesUnreadableFiles() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), TEXT);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(file), "this user may read everything, so nothing is refused");

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(PemSource.file(file)))
                .withMessage(file + ": permission denied");
    }

    @Test
    void limitsTheSize() throws IOException {
        Path file = directory.resolve("large");
        Files.write(file, new byte[PemSource.MAX_BYTES + 1]);

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(PemSource.file(file)))
                .withMessage(file + ": is larger than 1048576 bytes, expected PEM text");
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemCertificates.read(PemSource.inline("c", new byte[PemSource.MAX_BYTES + 1])))
                .withMessage("c: is larger than 1048576 bytes, expected PEM text");
    }

    @Test
    void inlineContentIsCopied() throws PemException {
        byte[] bytes = TEXT.getBytes(StandardCharsets.US_ASCII);
        PemSource source = PemSource.inline("c", bytes);
        Arrays.fill(bytes, (byte) 0);

        assertThat(PemCertificates.read(source)).containsExactly(LEAF);
        assertThat(source.path()).isEmpty();
        assertThat(PemSource.file(directory).path()).contains(directory);
    }

    @Test
    void opensslReadsWhatIsWritten() throws Exception {
        OpenSsl openssl = new OpenSsl(directory);
        PemFiles.writePair(
                directory.resolve("a.crt"),
                List.of(LEAF),
                directory.resolve("a.key"),
                CA.identity().key(),
                PemFiles.Existing.KEEP);

        assertThat(openssl.run("x509", "-in", "a.crt", "-noout", "-subject")).contains("CN = jane");
        assertThat(openssl.run("pkey", "-in", "a.key", "-noout", "-text")).contains("prime256v1");
    }

    private static PemSource inline(String text) {
        return PemSource.inline("c", text.getBytes(StandardCharsets.UTF_8));
    }
}
