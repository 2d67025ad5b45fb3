package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.tls.pki.AlternativeName;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.KeyKind;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateUsage;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat pki renew}: a certificate with a new key and a new validity in place of an existing one, with the same names and usages. */
@Command(name = "renew", mixinStandardHelpOptions = true)
final class RenewCommand extends PlatCommand {
    @Parameters(paramLabel = "NAME")
    private String name = "";

    @Option(names = "--dir", paramLabel = "FOLDER", required = true)
    private Path folder = Path.of("");

    @Option(names = "--days", paramLabel = "N")
    private @Nullable Long days;

    @Override
    public int run(Program plat) {
        PairFiles files = new PairFiles(folder, name);
        X509Certificate old = files.read().chain().getFirst();
        if (old.getBasicConstraints() >= 0) {
            throw CommandException.usage(
                    "NAME: \"" + name + "\" is an authority, whose certificates would become invalid");
        }
        CertificateRequest order;
        try {
            order = order(old);
        } catch (IllegalArgumentException | CertificateParsingException e) {
            throw CommandException.undetermined(name + ": can't be issued again: " + e.getMessage());
        }
        files.write(PairFiles.authority(folder, plat.surroundings().clock()).issue(order), true);
        files.printTo(plat.report());
        return ExitStatus.YES;
    }

    private CertificateRequest order(X509Certificate old) throws CertificateParsingException {
        CertificateNames names = CertificateNames.of(old);
        Stream<String> addresses = names.ipAddresses().stream().map(InetAddress::getHostAddress);
        List<String> all = Stream.concat(
                        Stream.concat(names.dnsNames().stream(), addresses), names.otherNames().stream())
                .toList();
        List<String> extended = Objects.requireNonNullElse(old.getExtendedKeyUsage(), List.of());
        Set<CertificateUsage> usages = Stream.of(CertificateUsage.values())
                .filter(usage -> extended.contains(usage.oid()))
                .collect(Collectors.toSet());
        Duration before = Duration.between(
                old.getNotBefore().toInstant(), old.getNotAfter().toInstant());
        return new CertificateRequest(
                names.commonName(),
                names.organisations(),
                all.stream().map(AlternativeName::parse).toList(),
                usages,
                PairFiles.days(days == null ? Math.max(1, before.toDays()) : days),
                KeyKind.EC_P256);
    }
}
