package io.plat.cli.lint;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.output.Colour;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Report;
import io.plat.cli.output.SourceObject;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ConnectionOptions;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.TooComplexException;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat lint}: errors, redundancies and dangers in a policy, and privilege escalations. */
@Command(name = "lint", mixinStandardHelpOptions = true)
public final class LintCommand extends PlatCommand {
    /** Default roles and bindings of Kubernetes. */
    private static final Pattern DEFAULT_OBJECT =
            Pattern.compile("^(?:Cluster)?Role(?:Binding)?/(?:(?:[^/ ]+/)?system:|cluster-admin$)");

    /** The start of a message about a built-in subject; other subjects of a default binding were added to it. */
    private static final Pattern BUILT_IN_SUBJECT =
            Pattern.compile("^(?:(?:User|Group) system:|ServiceAccount kube-system/)");

    private static final String SARIF = "sarif";

    /** Maximum number of findings of a file in text. */
    private static final int MAX_LINES = 100;

    /** The same in documents, whose readers filter them. */
    private static final int MAX_ENTRIES = 1_000;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(paramLabel = "PATH", arity = "1..*")
    private List<String> paths = new ArrayList<>();

    @Option(names = "--severity", paramLabel = "LEVEL", defaultValue = "note")
    private LintRule.Severity minimumSeverity = LintRule.Severity.NOTE;

    @Option(names = "--ignore", paramLabel = "ID", split = ",")
    private List<String> ignored = new ArrayList<>();

    @Option(names = "--include-defaults")
    private boolean includeDefaults;

    @Override
    protected List<String> additionalFormats() {
        return List.of(SARIF);
    }

    @Override
    public int run(Program plat) {
        Set<LintRule> ignoredRules = new HashSet<>();
        for (String id : ignored) {
            ignoredRules.add(LintRule.of(id)
                    .orElseThrow(() -> CommandException.usage("--ignore: no rule \"" + id + "\""
                            + NearestName.suggestion(
                                    id,
                                    Stream.of(LintRule.values())
                                            .map(LintRule::id)
                                            .toList()))));
        }
        PolicyDocuments policy =
                plat.withProgress("loading", () -> PolicyDocuments.read(paths, () -> plat.connect(connection)));
        plat.report().warn(policy.warnings());
        if (policy.isEmpty()) {
            throw CommandException.undetermined(PolicyDocuments.NOTHING);
        }
        Finding.Suppressions suppressions = new Finding.Suppressions();
        List<Finding> findings = plat.withProgress("checking", () -> findings(policy)).stream()
                .filter(finding -> finding.rule().severity().compareTo(minimumSeverity) <= 0)
                .filter(finding -> !ignoredRules.contains(finding.rule()))
                .filter(finding -> !suppressions.cover(finding))
                .filter(finding -> includeDefaults || !isOfDefaults(finding))
                .sorted(Finding.ORDER)
                .toList();
        int limit = plat.formatWord().equals("text") ? MAX_LINES : MAX_ENTRIES;
        Map<String, Integer> ofFile = new HashMap<>();
        List<Finding> shown = findings.stream()
                .filter(finding -> ofFile.merge(finding.where().file(), 1, Integer::sum) <= limit)
                .toList();
        if (shown.size() < findings.size()) {
            plat.report()
                    .warn((findings.size() - shown.size()) + " more findings are left out; at most " + limit
                            + " of a file are printed");
        }
        if (plat.formatWord().equals(SARIF)) {
            byte[] log = JsonAnswer.of(FindingReport.sarif(shown, Program.version("unknown")));
            plat.report().printDocument(log, OutputFormat.JSON);
        } else {
            plat.print(
                    report -> FindingReport.print(shown, findings, report),
                    () -> JsonAnswer.of(FindingReport.document(shown)));
        }
        return findings.isEmpty() ? ExitStatus.YES : ExitStatus.NO;
    }

    /** Returns whether a finding is about a role or binding that every server has by default, found on a server. */
    private static boolean isOfDefaults(Finding finding) {
        return finding.where().line() == 0
                && DEFAULT_OBJECT.matcher(finding.where().file()).find()
                && (finding.path().isEmpty()
                        || BUILT_IN_SUBJECT.matcher(finding.message()).find());
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

    /** Output of findings. */
    private static final class FindingReport {
        private static final String SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

        private FindingReport() {}

        static void print(List<Finding> shown, List<Finding> findings, Report report) {
            for (Finding finding : shown) {
                LintRule.Severity severity = finding.rule().severity();
                Colour colour = severity == LintRule.Severity.ERROR ? Colour.RED : Colour.YELLOW;
                report.print(Quoted.oneLine(finding.where().toString()) + ": " + report.paint(colour, severity + ":")
                        + " " + Quoted.oneLine(finding.message()) + " ["
                        + finding.rule().id() + "]");
                if (!finding.path().isEmpty()) {
                    report.print("    " + Quoted.oneLine(String.join(" -> ", finding.path())));
                }
            }
            report.print(findings.isEmpty() ? "nothing found" : count(findings));
        }

        /** Returns the number of findings, and of those of each severity. */
        private static String count(List<Finding> findings) {
            List<String> parts = new ArrayList<>();
            for (LintRule.Severity severity : LintRule.Severity.values()) {
                long some = findings.stream()
                        .filter(finding -> finding.rule().severity() == severity)
                        .count();
                if (some > 0) {
                    parts.add(some + " " + severity + (some == 1 ? "" : "s"));
                }
            }
            return "found " + String.join(", ", parts);
        }

        static Object document(List<Finding> findings) {
            return findings.stream()
                    .map(finding -> object(
                            "id", finding.rule().id(),
                            "severity", finding.rule().severity().toString(),
                            "source", SourceObject.of(finding.where().toString()),
                            "message", finding.message(),
                            "path", finding.path()))
                    .toList();
        }

        /** Returns a log in the Static Analysis Results Interchange Format (SARIF), version 2.1.0. */
        static Object sarif(List<Finding> findings, String version) {
            List<?> rules = Stream.of(LintRule.values())
                    .map(rule -> object(
                            "id", rule.id(),
                            "shortDescription", object("text", rule.summary()),
                            "defaultConfiguration",
                                    object("level", rule.severity().toString())))
                    .toList();
            Object driver = object("name", "plat lint", "version", version, "rules", rules);
            List<?> results = findings.stream().map(FindingReport::result).toList();
            return object(
                    "$schema",
                    SARIF_SCHEMA,
                    "version",
                    "2.1.0",
                    "runs",
                    List.of(object("tool", object("driver", driver), "results", results)));
        }

        private static Object result(Finding finding) {
            List<?> steps = finding.path().stream()
                    .map(step -> object("location", location(finding.where(), step)))
                    .toList();
            return object(
                    "ruleId", finding.rule().id(),
                    "level", finding.rule().severity().toString(),
                    "message", object("text", finding.message()),
                    "locations", List.of(location(finding.where(), null)),
                    // The steps of an escalation.
                    "codeFlows",
                            steps.isEmpty()
                                    ? null
                                    : List.of(object("threadFlows", List.of(object("locations", steps)))));
        }

        private static Object location(Location where, @Nullable String message) {
            Object file = object("uri", reference(where.file()));
            Object region = where.line() > 0 ? object("startLine", where.line()) : null;
            return object(
                    "physicalLocation",
                    object("artifactLocation", file, "region", region),
                    "message",
                    message == null ? null : object("text", message));
        }

        /** Returns the relative reference to a file (RFC 3986), with any name. */
        private static String reference(String file) {
            String path = JsonText.wellFormed(file.replace('\\', '/'));
            try {
                // A colon in the first segment would turn the preceding text into a scheme.
                int colon = path.indexOf(':');
                boolean scheme = colon >= 0 && path.lastIndexOf('/', colon) < 0;
                return new URI(null, null, scheme ? "./" + path : path, null).toASCIIString();
            } catch (URISyntaxException e) {
                throw new IllegalStateException("a path that no reference can have: " + path, e);
            }
        }
    }
}
