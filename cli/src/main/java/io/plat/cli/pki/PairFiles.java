package io.plat.cli.pki;

import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemFiles;
import io.plat.tls.pem.PemFiles.Existing;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** The two files of a certificate in the folder of an authority. */
final class PairFiles {
    private static final long LONGEST_DAYS = 36_500;

    private final Path certificate;
    private final Path key;

    PairFiles(Path folder, String name) {
        this.certificate = folder.resolve(name + ".crt");
        this.key = folder.resolve(name + ".key");
    }

    void printTo(Report report) {
        report.print("wrote " + certificate);
        report.print("wrote " + key);
    }

    TlsIdentity read() {
        try {
            return TlsIdentity.read(PemSource.file(certificate), PemSource.file(key));
        } catch (PemException e) {
            throw CommandException.of(e);
        }
    }

    static CertificateAuthority authority(Path folder, InstantSource clock) {
        PairFiles files = new PairFiles(folder, "ca");
        try {
            return CertificateAuthority.of(files.read(), clock);
        } catch (IllegalArgumentException e) {
            throw CommandException.undetermined(files.certificate + ": " + e.getMessage());
        }
    }

    void write(TlsIdentity identity, boolean force) {
        Path folder = certificate.toAbsolutePath().getParent();
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
            PemFiles.writePair(
                    certificate, identity.chain(), key, identity.key(), force ? Existing.REPLACE : Existing.KEEP);
        } catch (FileAlreadyExistsException e) {
            throw CommandException.undetermined(e.getMessage() + ": exists already; --force replaces it");
        } catch (IOException e) {
            throw CommandException.io("can't write \"" + certificate + "\"", e);
        }
    }

    static Duration days(long days) {
        if (days < 1 || days > LONGEST_DAYS) {
            throw CommandException.usage("--days: expected 1 to " + LONGEST_DAYS + ", found " + days);
        }
        return Duration.ofDays(days);
    }
}
