package io.plat.cli.lint;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicySource;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.source.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code plat lint}: errors, redundancies and dangers in a policy, and privilege escalations. */
@Command(name = "lint", mixinStandardHelpOptions = true)
public final class LintCommand extends PlatCommand {
    /** A role or binding that Kubernetes creates by itself. */
    private static final Pattern DEFAULT =
            Pattern.compile("^(?:Cluster)?Role(?:Binding)?/(?:(?:[^/ ]+/)?system:|cluster-admin$)");

    /** The beginning of a message about a subject of Kubernetes' own; any other one of a default binding was added to it. */
    private static final Pattern OWN = Pattern.compile("^(?:(?:User|Group) system:|ServiceAccount kube-system/)");

    private static final String SARIF = "sarif";

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(paramLabel = "PATH", arity = "1..*")
    private List<String> paths = new ArrayList<>();

    @Option(names = "--severity", paramLabel = "LEVEL", defaultValue = "note")
    private Severity least = Severity.NOTE;

    @Option(names = "--ignore", paramLabel = "ID", split = ",")
    private List<String> ignored = new ArrayList<>();

    @Option(names = "--include-defaults")
    private boolean includeDefaults;

    @Override
    protected List<String> furtherFormats() {
        return List.of(SARIF);
    }

    @Override
    public int run(Program plat) {
        Set<LintRule> without = new HashSet<>();
        for (String id : ignored) {
            without.add(LintRule.of(id)
                    .orElseThrow(() -> CommandException.usage("--ignore: no rule \"" + id + "\""
                            + NearestName.suggestion(
                                    id,
                                    Stream.of(LintRule.values()).map(LintRule::id).toList()))));
        }
        PolicyDocuments policy = plat.working("loading", () -> PolicySource.read(paths, () -> plat.connect(connection)));
        plat.report().warn(policy.warnings());
        if (policy.isEmpty()) {
            plat.report().warn("no policy line, role or binding found, nothing to check");
        }
        Suppressions known = new Suppressions();
        List<Finding> findings = plat.working("checking", () -> findings(policy)).stream()
                .filter(finding -> finding.rule().severity().compareTo(least) <= 0)
                .filter(finding -> !without.contains(finding.rule()))
                .filter(finding -> !known.cover(finding))
                .filter(finding -> includeDefaults || !isOfDefaults(finding))
                .sorted(Finding.ORDER)
                .toList();
        if (plat.formatWord().equals(SARIF)) {
            byte[] log = JsonAnswer.of(FindingReport.sarif(findings, Program.version("unknown")));
            plat.report().printDocument(log, OutputFormat.JSON);
        } else {
            plat.print(
                    report -> FindingReport.print(findings, report),
                    () -> JsonAnswer.of(FindingReport.document(findings)));
        }
        return findings.isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    /** Returns whether a finding is about a role or binding that every server has by default, found on a server. */
    private static boolean isOfDefaults(Finding finding) {
        return finding.where().line() == 0
                && DEFAULT.matcher(finding.where().file()).find()
                && (finding.path().isEmpty() || OWN.matcher(finding.message()).find());
    }

    private static List<Finding> findings(PolicyDocuments policy) {
        List<Finding> findings = new ArrayList<>();
        AbacPolicy lines = policy.lines();
        if (lines != null) {
            new LineChecks(findings::add).run(lines);
        }
        RbacPolicy roles = policy.roles();
        if (roles != null) {
            new RoleChecks(roles, findings::add).run();
        }
        try {
            new EscalationChecks(policy, findings::add).run();
        } catch (TooComplexException e) {
            throw CommandException.of(e);
        }
        return findings;
    }
}
