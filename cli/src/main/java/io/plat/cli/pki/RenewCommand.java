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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
        List<AlternativeName> alternatives = new ArrayList<>();
        names.dnsNames().forEach(dns -> alternatives.add(AlternativeName.parse(dns)));
        names.ipAddresses().stream()
                .map(InetAddress::getHostAddress)
                .forEach(address -> alternatives.add(AlternativeName.parse(address)));
        if (!names.otherNames().isEmpty()) {
            throw new IllegalArgumentException("it has other names: " + String.join(", ", names.otherNames()));
        }
        List<String> extended = old.getExtendedKeyUsage();
        Set<CertificateUsage> usages = EnumSet.noneOf(CertificateUsage.class);
        for (CertificateUsage usage : CertificateUsage.values()) {
            if (extended != null && extended.contains(usage.oid())) {
                usages.add(usage);
            }
        }
        Duration before = Duration.between(
                old.getNotBefore().toInstant(), old.getNotAfter().toInstant());
        return new CertificateRequest(
                names.commonName(),
                names.organisations(),
                alternatives,
                usages,
                PairFiles.days(days == null ? Math.max(1, before.toDays()) : days),
                KeyKind.EC_P256);
    }
}
