package io.plat.cli.lint;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.output.SourceObject;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import io.plat.review.source.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Findings for people and for programs. */
final class FindingReport {
    private static final String SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private FindingReport() {}

    static void print(List<Finding> findings, Report report) {
        for (Finding finding : findings) {
            Severity severity = finding.rule().severity();
            Colour colour = severity == Severity.ERROR ? Colour.RED : Colour.YELLOW;
            report.print(Quoted.oneLine(finding.where().toString()) + ": " + report.paint(colour, severity + ":") + " "
                    + Quoted.oneLine(finding.message()) + " [" + finding.rule().id() + "]");
            if (!finding.path().isEmpty()) {
                report.print("    " + Quoted.oneLine(String.join(" -> ", finding.path())));
            }
        }
        report.print(findings.isEmpty() ? "nothing found" : count(findings));
    }

    /** Returns the number of findings, and of those of each severity. */
    private static String count(List<Finding> findings) {
        List<String> parts = new ArrayList<>();
        for (Severity severity : Severity.values()) {
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

    /** A log of the Static Analysis Results Interchange Format, version 2.1.0. */
    static Object sarif(List<Finding> findings, String version) {
        List<?> rules = Stream.of(LintRule.values())
                .map(rule -> object(
                        "id", rule.id(),
                        "shortDescription", object("text", rule.summary()),
                        "defaultConfiguration", object("level", rule.severity().toString())))
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
                // A escalation, step by step.
                "codeFlows",
                        steps.isEmpty() ? null : List.of(object("threadFlows", List.of(object("locations", steps)))));
    }

    private static Object location(Location where, @Nullable String message) {
        return object(
                "physicalLocation",
                object(
                        "artifactLocation",
                        object("uri", reference(where.file())),
                        "region",
                        where.line() > 0 ? object("startLine", where.line()) : null),
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
