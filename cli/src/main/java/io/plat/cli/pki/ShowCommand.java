package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.tls.pem.PemCertificates;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code plat pki show}: contents of certificates. */
@Command(name = "show", mixinStandardHelpOptions = true)
final class ShowCommand extends PlatCommand {
    @Parameters(paramLabel = "FILE", arity = "1..*")
    private List<Path> files = new ArrayList<>();

    @Override
    public int run(Program plat) {
        List<CertificateFacts> facts = new ArrayList<>();
        for (Path file : files) {
            facts.addAll(read(file, plat.surroundings().clock().instant()));
        }
        plat.print(
                report -> report.print(facts.stream()
                        .map(CertificateFacts::text)
                        .collect(Collectors.joining("\n"))
                        .stripTrailing()),
                () -> JsonAnswer.of(
                        facts.stream().map(CertificateFacts::document).toList()));
        return ExitStatus.YES;
    }

    private static List<CertificateFacts> read(Path file, Instant now) {
        try {
            List<X509Certificate> certificates = PemCertificates.read(PemSource.file(file));
            return certificates.stream()
                    .map(certificate -> CertificateFacts.of(file.toString(), certificate, now))
                    .toList();
        } catch (PemException e) {
            throw CommandException.of(e);
        }
    }
}
