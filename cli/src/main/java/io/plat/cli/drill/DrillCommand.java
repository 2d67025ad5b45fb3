package io.plat.cli.drill;

import io.plat.cli.CommandException;
import io.plat.cli.ConnectionOptions;
import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import io.plat.cli.TypedDuration;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.cli.output.Table;
import io.plat.cli.server.ServerChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat drill}: which faults let a request pass? */
@Command(
        name = "drill",
        mixinStandardHelpOptions = true,
        description =
                "Sends faults to a decider, or stands in as a server's webhook and fails, and says what let a request"
                        + " pass.",
        footer = {
            "",
            "Examples:",
            "  plat drill https://localhost:8443 --kubeconfig ask-the-decider.conf",
            "  plat drill --listen 127.0.0.1:9443 --dir pki --probe https://localhost:6443",
            "",
            "The probed server has to ask a webhook at the address of --listen, and nobody else about the",
            "client that probes. The webhook's certificates come from the authority in --dir, which the",
            "server has to trust.",
            "",
            "Exit status: 0 everything is closed, 1 something is open."
        })
public final class DrillCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "URL", description = "the decider that faults are sent to")
    private @Nullable String decider;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "stand in as a webhook at this address, such as 127.0.0.1:9443")
    private @Nullable String listen;

    @Option(names = "--probe", paramLabel = "URL", description = "the server that asks that webhook")
    private @Nullable String probe;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "folder of the authority (plat pki init) that the probed server trusts")
    private @Nullable Path folder;

    @Option(
            names = "--san",
            paramLabel = "NAME",
            description = "the name that the probed server knows the webhook by, repeatable (localhost, 127.0.0.1)")
    private List<String> names = List.of("localhost", "127.0.0.1");

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "how long an answer may take (2s of a decider, 30s of a probed server)")
    private @Nullable String wait;

    @Override
    public Integer call() {
        Plat program = Plat.of(spec);
        checkForm();
        List<Outcome> outcomes;
        try (Progress progress = program.progress("faults", -1)) {
            outcomes = listen == null ? sendFaults(program, progress) : standIn(program, progress, listen);
        }
        print(program, outcomes);
        return outcomes.stream().anyMatch(Outcome::open) ? ExitStatus.NO : ExitStatus.YES;
    }

    private void checkForm() {
        if ((decider == null) == (listen == null)) {
            throw CommandException.usage("expected the URL of a decider, or --listen with --probe");
        }
        if ((listen == null) != (probe == null)) {
            throw CommandException.usage("--listen and --probe: given together or not at all");
        }
        if (listen != null && folder == null) {
            throw CommandException.usage("--dir: required with --listen, for the certificates of the webhook");
        }
    }

    private Duration patience(String usual) {
        return TypedDuration.parse("--wait", wait == null ? usual : wait);
    }

    private List<Outcome> sendFaults(Plat program, Progress progress) {
        ServerChoice choice = program.serverChoice(connection.at(Objects.requireNonNull(decider)));
        return new DeciderDrill(Peer.of(choice, patience("2s"))).run(progress::step);
    }

    private List<Outcome> standIn(Plat program, Progress progress, String address) {
        ServerChoice choice = program.serverChoice(connection.at(Objects.requireNonNull(probe)));
        DrillCertificates certificates = DrillCertificates.read(Objects.requireNonNull(folder), names);
        try (StandIn webhook = StandIn.listen(address, certificates)) {
            return new WebhookDrill(webhook, new Probe(Peer.of(choice, patience("30s")))).run(progress::step);
        }
    }

    private static void print(Plat program, List<Outcome> outcomes) {
        Report report = program.report();
        switch (program.format()) {
            case JSON, YAML -> report.printDocument(Outcome.json(outcomes), program.format());
            case TEXT -> {
                Table table = new Table("FAULT", "OUTCOME", "DETAIL");
                outcomes.forEach(outcome -> table.row(outcome.fault(), outcome.word(), outcome.detail()));
                table.lines().forEach(report::print);
                long open = outcomes.stream().filter(Outcome::open).count();
                report.print(
                        open == 0
                                ? report.paint(Colour.GREEN, "all closed")
                                : report.paint(Colour.RED, open + " open"));
            }
        }
    }
}
