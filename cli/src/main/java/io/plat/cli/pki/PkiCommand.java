package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.Report;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemFiles;
import io.plat.tls.pem.PemFiles.Existing;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat pki}: a group of commands. */
@Command(
        name = "pki",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PkiCommand.InitCommand.class,
            IssueCommand.class,
            PkiCommand.RenewCommand.class,
            ShowCommand.class
        })
public final class PkiCommand {
    /** Returns the subject alternative names of a certificate, as {@code --san} accepts them. */
    static List<String> alternatives(CertificateNames names) {
        Stream<String> addresses = names.ipAddresses().stream().map(InetAddress::getHostAddress);
        return Stream.of(names.dnsNames().stream(), addresses, names.otherNames().stream())
                .flatMap(all -> all)
                .toList();
    }

    /** {@code plat pki init}: a new authority in a directory. */
    @Command(name = "init", mixinStandardHelpOptions = true)
    static final class InitCommand extends PlatCommand {
        @Option(names = "--dir", paramLabel = "DIR", required = true)
        private Path directory = Path.of("");

        @Option(names = "--cn", paramLabel = "NAME")
        private String commonName = "plat development authority";

        @Option(names = "--days", paramLabel = "N")
        private long days = 3650;

        @Option(names = "--force")
        private boolean force;

        @Override
        public int run(Program plat) {
            PairFiles files = new PairFiles(directory, "ca");
            CertificateAuthority authority;
            try {
                authority = CertificateAuthority.create(commonName, PairFiles.days(days), InstantSource.system());
            } catch (IllegalArgumentException e) {
                throw CommandException.usage("--cn: " + e.getMessage());
            }
            files.write(authority.identity(), force, plat.report());
            return ExitStatus.YES;
        }
    }

    /** {@code plat pki renew}: a certificate with a new key and a new validity in place of an existing one, with the same names and usages. */
    @Command(name = "renew", mixinStandardHelpOptions = true)
    static final class RenewCommand extends PlatCommand {
        @Parameters(paramLabel = "NAME")
        private String name = "";

        @Option(names = "--dir", paramLabel = "DIR", required = true)
        private Path directory = Path.of("");

        @Option(names = "--days", paramLabel = "N")
        private @Nullable Long days;

        @Override
        public int run(Program plat) {
            PairFiles files = new PairFiles(directory, name);
            X509Certificate old = files.read().chain().getFirst();
            if (old.getBasicConstraints() >= 0) {
                throw CommandException.usage(
                        "NAME: \"" + name + "\" is an authority, whose certificates would become invalid");
            }
            CertificateRequest request;
            try {
                request = request(old);
            } catch (IllegalArgumentException | CertificateParsingException e) {
                throw CommandException.undetermined(name + ": cannot be issued again: " + e.getMessage());
            }
            files.write(
                    PairFiles.authority(directory, plat.environment().clock()).issue(request), true, plat.report());
            return ExitStatus.YES;
        }

        private CertificateRequest request(X509Certificate old) throws CertificateParsingException {
            CertificateNames names = CertificateNames.of(old);
            List<String> extended = Objects.requireNonNullElse(old.getExtendedKeyUsage(), List.of());
            Set<CertificateUsage> usages = Stream.of(CertificateUsage.values())
                    .filter(usage -> extended.contains(usage.oid()))
                    .collect(Collectors.toSet());
            Duration before = Duration.between(
                    old.getNotBefore().toInstant(), old.getNotAfter().toInstant());
            return new CertificateRequest(
                    names.commonName(),
                    names.organizations(),
                    alternatives(names).stream().map(AlternativeName::parse).toList(),
                    usages,
                    PairFiles.days(days == null ? Math.max(1, before.toDays()) : days),
                    KeyKind.EC_P256);
        }
    }

    /** The two files of a certificate in the directory of an authority. */
    static final class PairFiles {
        private static final long MAX_DAYS = 36_500;

        private final Path certificate;
        private final Path key;

        PairFiles(Path directory, String name) {
            this.certificate = directory.resolve(name + ".crt");
            this.key = directory.resolve(name + ".key");
        }

        TlsIdentity read() {
            try {
                return TlsIdentity.read(PemSource.file(certificate), PemSource.file(key));
            } catch (PemException e) {
                throw CommandException.of(e);
            }
        }

        static CertificateAuthority authority(Path directory, InstantSource clock) {
            PairFiles files = new PairFiles(directory, "ca");
            if (Files.notExists(files.certificate)) {
                throw CommandException.undetermined(files.certificate + ": no such file; plat pki init --dir "
                        + directory + " creates an authority");
            }
            try {
                return CertificateAuthority.of(files.read(), clock);
            } catch (IllegalArgumentException e) {
                throw CommandException.undetermined(files.certificate + ": " + e.getMessage());
            }
        }

        void write(TlsIdentity identity, boolean force, Report report) {
            Path directory = certificate.toAbsolutePath().getParent();
            try {
                if (directory != null) {
                    Files.createDirectories(directory);
                }
                PemFiles.writePair(
                        certificate, identity.chain(), key, identity.key(), force ? Existing.REPLACE : Existing.KEEP);
            } catch (FileAlreadyExistsException e) {
                throw CommandException.undetermined(e.getMessage()
                        + (directory == null || Files.isDirectory(directory)
                                ? ": already exists; use --force to replace it"
                                : ": not a directory"));
            } catch (IOException e) {
                throw CommandException.io("cannot write \"" + certificate + "\"", e);
            }
            report.print("wrote " + certificate);
            report.print("wrote " + key);
        }

        static Duration days(long days) {
            if (days < 1 || days > MAX_DAYS) {
                throw CommandException.usage("--days: expected 1 to " + MAX_DAYS + ", found " + days);
            }
            return Duration.ofDays(days);
        }
    }
}
