package io.plat.cli.drill;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.TypedDuration;
import io.plat.cli.drill.WebhookFault.Certificate;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.ProgressLine;
import io.plat.cli.output.Report;
import io.plat.cli.output.Report.Table;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.ServerChoice;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.TlsIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat drill}: fault injection. */
@Command(name = "drill", mixinStandardHelpOptions = true)
public final class DrillCommand extends PlatCommand {
    private static final Duration DAY = Duration.ofDays(1);

    @Parameters(index = "0", arity = "0..1", paramLabel = "URL")
    private @Nullable String decider;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--listen", paramLabel = "ADDRESS")
    private @Nullable String listen;

    @Option(names = "--probe", paramLabel = "URL")
    private @Nullable String probe;

    @Option(names = "--dir", paramLabel = "DIR")
    private @Nullable Path directory;

    @Option(names = "--san", paramLabel = "NAME")
    private List<String> names = List.of("localhost", "127.0.0.1");

    @Option(names = "--wait", paramLabel = "DURATION")
    private @Nullable String wait;

    @Override
    public int run(Program plat) {
        checkForm();
        List<FaultOutcome> outcomes;
        try (ProgressLine progress = plat.progress("faults", -1)) {
            outcomes = listen == null ? testDecider(plat, progress) : runFaultyWebhook(plat, progress, listen);
        }
        plat.print(
                report -> print(report, outcomes),
                () -> JsonAnswer.of(
                        outcomes.stream().map(FaultOutcome::document).toList()));
        return outcomes.stream().anyMatch(FaultOutcome::open) ? ExitStatus.NO : ExitStatus.YES;
    }

    private void checkForm() {
        if ((decider == null) == (listen == null)) {
            throw decider == null
                    ? missing("URL of a decider, or --listen with --probe")
                    : CommandException.usage("--listen: cannot be combined with the URL of a decider");
        }
        if ((listen == null) != (probe == null)) {
            throw CommandException.usage("--listen, --probe: each requires the other");
        }
        if (listen != null && directory == null) {
            throw CommandException.usage("--dir: required with --listen, for the certificates of the webhook");
        }
    }

    private Duration timeout(String defaultTimeout) {
        return TypedDuration.parse("--wait", wait == null ? defaultTimeout : wait);
    }

    private List<FaultOutcome> testDecider(Program plat, ProgressLine progress) {
        ServerChoice choice = plat.serverChoice(connection.withServer(Objects.requireNonNull(decider)), "");
        return new DeciderDrill(DrillTarget.of(choice, timeout("2s"))).run(progress::step);
    }

    private List<FaultOutcome> runFaultyWebhook(Program plat, ProgressLine progress, String address) {
        ServerChoice choice = plat.serverChoice(connection.withServer(Objects.requireNonNull(probe)), "");
        Map<Certificate, SSLContext> certificates = certificates(Objects.requireNonNull(directory), names);
        try (FaultyWebhook webhook = FaultyWebhook.listen(address, certificates)) {
            return new WebhookDrill(webhook, DrillTarget.of(choice, timeout("30s"))).run(progress::step);
        }
    }

    private static void print(Report report, List<FaultOutcome> outcomes) {
        Table table = new Table("FAULT", "OUTCOME", "DETAIL");
        outcomes.forEach(outcome -> table.row(outcome.fault(), outcome.word(), outcome.detail()));
        report.print(table);
        long open = outcomes.stream().filter(FaultOutcome::open).count();
        report.print(open == 0 ? report.paint(Colour.GREEN, "all closed") : report.paint(Colour.RED, open + " open"));
    }

    /**
     * Issues the certificates of a faulty webhook.
     *
     * @param directory has {@code ca.crt} and {@code ca.key}
     * @throws CommandException if it does not
     */
    private static Map<Certificate, SSLContext> certificates(Path directory, List<String> names) {
        try {
            TlsIdentity authority = TlsIdentity.read(
                    PemSource.file(directory.resolve("ca.crt")), PemSource.file(directory.resolve("ca.key")));
            TlsIdentity unknown = CertificateAuthority.create("drill", DAY, InstantSource.system())
                    .identity();
            Instant now = Instant.now();
            List<AlternativeName> right =
                    names.stream().map(AlternativeName::parse).toList();
            return Map.of(
                    Certificate.VALID, context(authority, now, right),
                    Certificate.WRONG_NAME, context(authority, now, List.of(AlternativeName.parse("drill.invalid"))),
                    Certificate.EXPIRED, context(authority, now.minus(DAY.multipliedBy(2)), right),
                    Certificate.NOT_YET_VALID, context(authority, now.plus(DAY), right),
                    Certificate.UNTRUSTED, context(unknown, now, right));
        } catch (PemException e) {
            throw CommandException.of(e);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--san: " + e.getMessage());
        }
    }

    private static SSLContext context(TlsIdentity authority, Instant issued, List<AlternativeName> names) {
        CertificateRequest request = new CertificateRequest(
                "drill", List.of(), names, Set.of(CertificateUsage.SERVER), DAY, KeyKind.EC_P256);
        return ServerTls.context(
                CertificateAuthority.of(authority, InstantSource.fixed(issued)).issue(request));
    }
}
