package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class PemKeysTest {
    private final Path directory;

    PemKeysTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** A key written by openssl: the commands, the first line of the file, and the algorithm. */
    private record Written(String name, List<String> commands, String begins, String algorithm) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Written> READABLE = List.of(
            new Written(
                    "PKCS#1",
                    List.of("genrsa -traditional -out key.pem 2048"),
                    "-----BEGIN RSA PRIVATE KEY-----",
                    "RSA"),
            new Written(
                    "PKCS#8 RSA",
                    List.of("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem"),
                    "-----BEGIN PRIVATE KEY-----",
                    "RSA"),
            new Written(
                    "SEC1 after its parameters",
                    List.of("ecparam -name prime256v1 -genkey -out key.pem"),
                    "-----BEGIN EC PARAMETERS-----",
                    "EC"),
            new Written(
                    "SEC1 alone",
                    List.of("ecparam -name secp384r1 -genkey -noout -out key.pem"),
                    "-----BEGIN EC PRIVATE KEY-----",
                    "EC"),
            new Written(
                    "PKCS#8 EC",
                    List.of("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem"),
                    "-----BEGIN PRIVATE KEY-----",
                    "EC"),
            new Written(
                    "PKCS#8 Ed25519",
                    List.of("genpkey -algorithm ed25519 -out key.pem"),
                    "-----BEGIN PRIVATE KEY-----",
                    "EdDSA"));

    @ParameterizedTest
    @FieldSource("READABLE")
    void readsWhatOpensslWrites(Written written) throws Exception {
        run(written);

        PrivateKey key = PemKeys.read(PemSource.file(directory.resolve("key.pem")));

        assertThat(key.getAlgorithm()).isEqualTo(written.algorithm);
        assertThat(PemKeys.read(inline(PemText.privateKey(key)))).isEqualTo(key);
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Written> ENCRYPTED = List.of(
            new Written(
                    "PKCS#8",
                    List.of("genpkey -algorithm ed25519 -aes256 -pass pass:secret -out key.pem"),
                    "-----BEGIN ENCRYPTED PRIVATE KEY-----",
                    ""),
            new Written(
                    "PKCS#1 with headers",
                    List.of("genrsa -traditional -aes128 -passout pass:secret -out key.pem 2048"),
                    "-----BEGIN RSA PRIVATE KEY-----",
                    ""),
            new Written(
                    "SEC1 with headers",
                    List.of(
                            "ecparam -name prime256v1 -genkey -noout -out plain.pem",
                            "ec -in plain.pem -aes128 -passout pass:secret -out key.pem"),
                    "-----BEGIN EC PRIVATE KEY-----",
                    ""));

    @ParameterizedTest
    @FieldSource("ENCRYPTED")
    void refusesEncryptedKeysByName(Written written) throws Exception {
        run(written);
        Path file = directory.resolve("key.pem");

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemKeys.read(PemSource.file(file)))
                .withMessage(file + ":1: the private key is encrypted, expected one without a pass phrase");
    }

    private void run(Written written) throws IOException, InterruptedException {
        OpenSsl openssl = new OpenSsl(directory);
        for (String command : written.commands) {
            openssl.run(command.split(" "));
        }
        assertThat(Files.readAllLines(directory.resolve("key.pem")).getFirst()).isEqualTo(written.begins);
    }

    /** Text that is no key, and the resulting message. */
    private record Bad(String name, String text, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Bad> MALFORMED = List.of(
            new Bad("empty", "", "k: is empty, expected PEM text"),
            new Bad(
                    "no PEM",
                    "hello\n",
                    "k: expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY', found no PEM block"),
            new Bad(
                    "something else",
                    block("CERTIFICATE", "AAAA") + block("PUBLIC KEY", "AAAA"),
                    "k: expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY', found 'CERTIFICATE', 'PUBLIC"
                            + " KEY'"),
            new Bad(
                    "another program's key",
                    "\n" + block("OPENSSH PRIVATE KEY", "AAAA"),
                    "k:2: expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY', found 'OPENSSH PRIVATE KEY'"),
            new Bad(
                    "no ASN.1",
                    block("PRIVATE KEY", "AAAA"),
                    "k:1: the content of this 'PRIVATE KEY' is malformed or of an unknown curve"),
            new Bad(
                    "no ASN.1 in PKCS#1",
                    block("RSA PRIVATE KEY", "/////w=="),
                    "k:1: the content of this 'RSA PRIVATE KEY' is malformed or of an unknown curve"),
            new Bad(
                    "no ASN.1 in SEC1",
                    block("EC PRIVATE KEY", "/////w=="),
                    "k:1: the content of this 'EC PRIVATE KEY' is malformed or of an unknown curve"),
            new Bad(
                    "SEC1 without a curve",
                    block("EC PRIVATE KEY", "MAMCAQE="),
                    "k:1: the 'EC PRIVATE KEY' does not name its curve"),
            new Bad("no base64", block("PRIVATE KEY", "@@@@"), "k:1: the content of this 'PRIVATE KEY' is not base64"),
            new Bad("nothing inside", block("PRIVATE KEY", ""), "k:1: this 'PRIVATE KEY' is empty"),
            new Bad(
                    "no end",
                    "-----BEGIN PRIVATE KEY-----\nAAAA\n",
                    "k:1: this 'PRIVATE KEY' has no END line, the file is incomplete"),
            new Bad(
                    "another end",
                    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END CERTIFICATE-----\n",
                    "k:3: expected '-----END PRIVATE KEY-----'"),
            new Bad(
                    "begins twice",
                    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----BEGIN PRIVATE KEY-----\n",
                    "k:3: another BEGIN, expected the END of the 'PRIVATE KEY' of line 1"),
            new Bad(
                    "cut in its first line",
                    "-----BEGIN PRIVATE K",
                    "k:1: BEGIN line is cut short, expected '-----BEGIN TYPE-----'"));

    @ParameterizedTest
    @FieldSource("MALFORMED")
    void reportsLocationAndProblem(Bad bad) {
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemKeys.read(inline(bad.text)))
                .withMessage(bad.message);
    }

    @Test
    void refusesOtherAlgorithms() throws NoSuchAlgorithmException {
        PrivateKey key =
                KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate();

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemKeys.read(inline(PemText.privateKey(key))))
                .withMessage("k:1: the algorithm of the private key is 1.3.101.110, expected RSA, EC or Ed25519");
    }

    @Test
    void everyTruncationOfAKeyIsRefused() throws NoSuchAlgorithmException {
        String text = PemText.privateKey(
                KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate());

        // The final line end is optional.
        for (int length = 0; length < text.length() - 1; length++) {
            String torn = text.substring(0, length);
            assertThatExceptionOfType(PemException.class).as(torn).isThrownBy(() -> PemKeys.read(inline(torn)));
        }
    }

    @Test
    void messagesDoNotContainTheKey() throws NoSuchAlgorithmException {
        byte[] encoded = KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        encoded[0] ^= 1;
        String base64 = Base64.getEncoder().encodeToString(encoded);

        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemKeys.read(inline(block("PRIVATE KEY", base64))))
                .satisfies(e -> assertThat(e.toString()).doesNotContain(base64.substring(4, 12)))
                .withNoCause();
    }

    private static PemSource inline(String text) {
        return PemSource.inline("k", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String block(String label, String base64) {
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }
}
