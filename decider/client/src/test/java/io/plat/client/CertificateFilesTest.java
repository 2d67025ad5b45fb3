package io.plat.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.plat.tls.pem.PemText;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class CertificateFilesTest {
    private static final CertificateAuthority AUTHORITY =
            CertificateAuthority.create("test authority", Duration.ofDays(1), InstantSource.system());

    private final Path ca;
    private final Path certificate;
    private final Path key;

    CertificateFilesTest(@TempDir Path directory) throws IOException {
        ca = Files.writeString(
                directory.resolve("ca.crt"),
                PemText.certificates(List.copyOf(AUTHORITY.identity().chain())));
        certificate = directory.resolve("client.crt");
        key = directory.resolve("client.key");
    }

    private TlsIdentity issue(KeyKind kind) throws IOException {
        TlsIdentity identity =
                AUTHORITY.issue(CertificateRequest.client("client").withKey(kind));
        Files.writeString(certificate, PemText.certificates(List.copyOf(identity.chain())));
        Files.writeString(key, PemText.privateKey(identity.key()));
        return identity;
    }

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void keysOfEachKindAreRead(KeyKind kind) throws IOException {
        TlsIdentity identity = issue(kind);
        assertThat(new CertificateFiles(ca, certificate, key).get()).isNotNull();
        Files.writeString(
                key,
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder().encodeToString(identity.key().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
        assertThat(new CertificateFiles(ca, certificate, key).get()).isNotNull();
    }

    @Test
    void rsaKeysInTheirOwnFormAreRead() throws IOException {
        TlsIdentity identity = issue(KeyKind.RSA_2048);
        byte[] pkcs8 = identity.key().getEncoded();
        // After two lengths, the version and the algorithm.
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
        Files.writeString(
                key,
                "-----BEGIN RSA PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(pkcs1)
                        + "\n-----END RSA PRIVATE KEY-----\n");
        assertThat(new CertificateFiles(ca, certificate, key).get()).isNotNull();
    }

    @Test
    void changedFilesAreReloadedUnlessInvalid() throws IOException {
        issue(KeyKind.EC_P256);
        CertificateFiles files = new CertificateFiles(ca, certificate, key);
        SSLContext first = files.get();
        assertThat(files.get()).isSameAs(first);
        Files.writeString(key, "half a");
        await().during(Duration.ofMillis(2500)).atMost(Duration.ofSeconds(20)).until(() -> files.get() == first);
        issue(KeyKind.EC_P256);
        await().until(() -> files.get() != first);
    }

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void aMismatchedKeyIsRefusedUntilItMatches(KeyKind kind) throws IOException {
        issue(kind);
        CertificateFiles files = new CertificateFiles(ca, certificate, key);
        SSLContext first = files.get();
        String old = Files.readString(key);
        issue(kind);
        String own = Files.readString(key);
        Files.writeString(key, old);
        assertThatThrownBy(() -> new CertificateFiles(ca, certificate, key))
                .hasMessage(key + ": not the key of " + certificate);
        await().during(Duration.ofMillis(1500)).atMost(Duration.ofSeconds(20)).until(() -> files.get() == first);
        Files.writeString(key, own);
        await().until(() -> files.get() != first);
    }

    /** The key is a pipe, whose reader blocks until something is written to it. */
    @Test
    void aSlowFileBlocksOneCallerOnly() throws Exception {
        issue(KeyKind.EC_P256);
        String own = Files.readString(key);
        CertificateFiles files = new CertificateFiles(ca, certificate, key);
        SSLContext first = files.get();
        Files.delete(key);
        assumeThat(new ProcessBuilder("mkfifo", key.toString()).start().waitFor())
                .as("mkfifo is not installed")
                .isZero();
        AtomicReference<SSLContext> read = new AtomicReference<>(first);
        Thread reader = Thread.ofPlatform().start(() -> {
            while (read.get() == first) {
                read.set(files.get());
            }
        });
        // Returns once the reader has opened it.
        try (OutputStream pipe = Files.newOutputStream(key)) {
            assertThat(files.get()).as("another caller").isSameAs(first);
            pipe.write(own.getBytes(StandardCharsets.US_ASCII));
        }
        reader.join();
        assertThat(read.get()).isNotSameAs(first);
    }

    @Test
    void problemsNameTheFileWithoutSecrets() throws IOException {
        issue(KeyKind.EC_P256);
        Files.writeString(key, "-----BEGIN EC PRIVATE KEY-----\nU0VDUkVU\n-----END EC PRIVATE KEY-----\n");
        assertThatThrownBy(() -> new CertificateFiles(ca, certificate, key))
                .hasMessageStartingWith(key + ": not a private key")
                .hasMessageNotContaining("U0VDUkVU");
        Files.writeString(key, "");
        assertThatThrownBy(() -> new CertificateFiles(ca, certificate, key)).hasMessageStartingWith(key + ": expected");
        Files.writeString(ca, "");
        assertThatThrownBy(() -> new CertificateFiles(ca, certificate, key)).hasMessageContaining("no certificate");
        Files.delete(ca);
        assertThatThrownBy(() -> new CertificateFiles(ca, certificate, key)).isInstanceOf(IOException.class);
    }
}
