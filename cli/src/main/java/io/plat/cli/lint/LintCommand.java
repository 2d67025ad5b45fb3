package io.plat.cli.lint;

import io.plat.cli.CommandException;
import io.plat.cli.ConnectionOptions;
import io.plat.cli.ExitStatus;
import io.plat.cli.FurtherFormats;
import io.plat.cli.Plat;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicySource;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.RbacPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat lint}: what is wrong, superfluous or dangerous in a policy, and who can climb by it. */
@Command(
        name = "lint",
        mixinStandardHelpOptions = true,
        description =
                "Finds what is wrong, superfluous or dangerous in a policy: what has no effect, what grants much, and every way from a"
                        + " subject to power that it was not granted.",
        footer = {
            "",
            "A comment \"# plat:ignore ID: why\" on a finding's line, or above it, says that it is known; \"# plat:ignore-file ID: why\""
                    + " says so of its file. Formats besides text, json and yaml: sarif.",
            "",
            "Exit status: 1 where something is found.",
            "",
            "Examples:",
            "  plat lint policy/",
            "  plat lint policy.jsonl roles.yaml --severity error",
            "  plat lint policy/ -o sarif > findings.sarif",
            "  plat lint server: --severity error"
        })
public final class LintCommand implements Callable<Integer>, FurtherFormats {
    private static final String SARIF = "sarif";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "files of policy lines or role objects, folders of them, or server: for the role objects of the server that is"
                            + " asked: together one policy")
    private List<String> paths = new ArrayList<>();

    @Option(
            names = "--severity",
            paramLabel = "LEVEL",
            defaultValue = "note",
            description = "the least that is told: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private Severity least = Severity.NOTE;

    @Option(
            names = "--ignore",
            paramLabel = "ID",
            split = ",",
            description = "a rule that is not looked for, repeatable")
    private List<String> ignored = new ArrayList<>();

    @Override
    public List<String> furtherFormats() {
        return List.of(SARIF);
    }

    @Override
    public Integer call() {
        Plat plat = Plat.of(Objects.requireNonNull(spec));
        Set<LintRule> without = new HashSet<>();
        for (String id : ignored) {
            without.add(LintRule.of(id).orElseThrow(() -> CommandException.usage("--ignore: no rule \"" + id + "\"")));
        }
        PolicyDocuments policy = PolicySource.read(paths, plat, connection);
        policy.warnings().forEach(warning -> plat.report().warn(warning.toString()));
        if (policy.isEmpty()) {
            plat.report().warn("no policy line, role or binding in what was read, nothing of it is looked at");
        }
        Suppressions known = new Suppressions();
        List<Finding> findings = findings(policy).stream()
                .filter(finding -> finding.rule().severity().compareTo(least) <= 0)
                .filter(finding -> !without.contains(finding.rule()))
                .filter(finding -> !known.cover(finding))
                .sorted(Finding.ORDER)
                .toList();
        print(findings, plat);
        return findings.isEmpty() ? ExitStatus.YES : ExitStatus.NO;
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
            new ClimbChecks(policy, findings::add).run();
        } catch (TooComplexException e) {
            throw CommandException.couldNotTell(String.valueOf(e.getMessage()));
        }
        return findings;
    }

    private static void print(List<Finding> findings, Plat plat) {
        if (plat.formatWord().equals(SARIF)) {
            String version = Objects.requireNonNullElse(Plat.class.getPackage().getImplementationVersion(), "unknown");
            plat.report().printDocument(JsonAnswer.of(json -> Sarif.write(findings, version, json)), OutputFormat.JSON);
            return;
        }
        switch (plat.format()) {
            case TEXT -> FindingReport.print(findings, plat.report());
            case JSON, YAML ->
                plat.report().printDocument(JsonAnswer.of(json -> FindingReport.write(findings, json)), plat.format());
        }
    }
}
