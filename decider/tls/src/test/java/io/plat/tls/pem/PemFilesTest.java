package io.plat.tls.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PemFilesTest {
    private static final CertificateAuthority CA =
            CertificateAuthority.create("ca", Duration.ofDays(10), InstantSource.system());
    private static final TlsIdentity FIRST = CA.issue(CertificateRequest.client("first"));
    private static final TlsIdentity SECOND = CA.issue(CertificateRequest.client("second"));

    private final Path directory;
    private final Path certificate;
    private final Path key;

    PemFilesTest(@TempDir Path directory) {
        this.directory = directory;
        this.certificate = directory.resolve("a.crt");
        this.key = directory.resolve("a.key");
    }

    @Test
    void aKeyIsReadableByItsOwnerOnly() throws IOException {
        write(FIRST, PemFiles.Existing.KEEP);

        assertThat(mode(key)).isEqualTo("rw-------");
        assertThat(mode(certificate)).startsWith("rw-r--");
    }

    @Test
    void aReplacedKeyIsReadableByItsOwnerOnly() throws IOException {
        Files.writeString(key, "old");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));

        write(FIRST, PemFiles.Existing.REPLACE);

        assertThat(mode(key)).isEqualTo("rw-------");
    }

    @Test
    void writtenContentCanBeReadBack() throws Exception {
        write(FIRST, PemFiles.Existing.KEEP);

        TlsIdentity read = TlsIdentity.read(PemSource.file(certificate), PemSource.file(key));

        assertThat(read).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.crt", "a.key"})
    void nothingIsWrittenIfOneOfThePairExists(String existing) throws IOException {
        Files.writeString(directory.resolve(existing), "mine");

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> write(FIRST, PemFiles.Existing.KEEP))
                .withMessage(directory.resolve(existing).toString());

        assertThat(names(directory)).containsExactly(existing);
        assertThat(directory.resolve(existing)).hasContent("mine");
    }

    @Test
    void aDanglingLinkIsNotWrittenThrough() throws IOException {
        Files.createSymbolicLink(key, directory.resolve("elsewhere"));

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> write(FIRST, PemFiles.Existing.KEEP));

        assertThat(names(directory)).containsExactly("a.key");
    }

    @Test
    void replacingLeavesNoTemporaryFiles() throws Exception {
        write(FIRST, PemFiles.Existing.KEEP);

        write(SECOND, PemFiles.Existing.REPLACE);

        assertThat(TlsIdentity.read(PemSource.file(certificate), PemSource.file(key)))
                .isEqualTo(SECOND);
        assertThat(names(directory)).containsExactly("a.crt", "a.key");
    }

    @Test
    void aFailedReplacementLeavesNoTemporaryFiles() throws IOException {
        Files.createDirectories(key.resolve("in the way"));

        assertThatIOException().isThrownBy(() -> write(FIRST, PemFiles.Existing.REPLACE));

        assertThat(names(directory)).containsExactly("a.key");
    }

    private void write(TlsIdentity identity, PemFiles.Existing existing) throws IOException {
        PemFiles.writePair(certificate, identity.chain(), key, identity.key(), existing);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }
}
