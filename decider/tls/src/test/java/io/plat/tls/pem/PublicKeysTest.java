package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PublicKeysTest {
    private final Path directory;

    PublicKeysTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private List<PublicKey> read(String file) throws PemException {
        return PemKeys.readPublic(PemSource.file(directory.resolve(file)));
    }

    @ParameterizedTest
    @CsvSource({
        "genrsa -traditional -out key.pem 2048,                                    rsa -RSAPublicKey_out",
        "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem,        rsa -pubout",
        "ecparam -name prime256v1 -genkey -out key.pem,                            ec -pubout",
        "ecparam -name secp384r1 -genkey -noout -out key.pem,                      ec -pubout",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521 -out key.pem,      ec -pubout",
    })
    void bothHalvesAndACertificateHaveOneKey(String make, String show) throws Exception {
        OpenSsl openssl = new OpenSsl(directory);
        openssl.run(make.strip().split(" ", -1));
        openssl.run((show + " -in key.pem -out public.pem").split(" ", -1));
        openssl.run("req", "-x509", "-key", "key.pem", "-subj", "/CN=x", "-out", "certificate.pem");
        PublicKey key = read("public.pem").getFirst();
        assertThat(read("key.pem")).containsExactly(key);
        assertThat(read("certificate.pem")).containsExactly(key);
        assertThat(PemKeys.publicHalf(PemKeys.read(PemSource.file(directory.resolve("key.pem")))))
                .isEqualTo(key);
        Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(directory.resolve("public.pem"))
                        + Files.readString(directory.resolve("certificate.pem")));
        assertThat(read("both.pem")).containsExactly(key, key);
    }

    @Test
    void keysOfOtherKindsAreRefused() throws Exception {
        OpenSsl openssl = new OpenSsl(directory);
        openssl.run("genpkey", "-algorithm", "ED25519", "-out", "key.pem");
        openssl.run("pkey", "-in", "key.pem", "-pubout", "-out", "public.pem");
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> read("public.pem"))
                .withMessage(directory.resolve("public.pem")
                        + ":1: the algorithm of the public key is 1.3.101.112, expected RSA or EC");
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> read("key.pem"))
                .withMessage(directory.resolve("key.pem")
                        + ":1: the algorithm of the private key is EdDSA, expected RSA or EC");
        openssl.run("genrsa", "-aes128", "-passout", "pass:secret", "-out", "encrypted.pem", "2048");
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> read("encrypted.pem"))
                .withMessageContaining("is encrypted");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        hello                                                       | k: expected 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE' or a private key, found no PEM block
        -----BEGIN DH PARAMETERS-----~AAAA~-----END DH PARAMETERS-----  | k: expected 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE' or a private key, found 'DH PARAMETERS'
        -----BEGIN PUBLIC KEY-----~AAAA~-----END PUBLIC KEY-----        | k:1: the content of this 'PUBLIC KEY' is malformed or of an unknown curve
        -----BEGIN RSA PUBLIC KEY-----~/////w==~-----END RSA PUBLIC KEY----- | k:1: the content of this 'RSA PUBLIC KEY' is malformed or of an unknown curve
        -----BEGIN CERTIFICATE-----~AAAA~-----END CERTIFICATE-----      | k:1: not an X.509 certificate in DER
        """)
    void malformedKeysAreRefusedWithTheirLocation(String text, String message) {
        byte[] pem = text.strip().replace('~', '\n').getBytes(StandardCharsets.US_ASCII);
        assertThatExceptionOfType(PemException.class)
                .isThrownBy(() -> PemKeys.readPublic(PemSource.inline("k", pem)))
                .withMessage(message.strip());
    }
}
