package io.plat.cli.policytest;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.output.SourceObject;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of tests.
 *
 * @param results by file
 * @param strength the strength of the tests, null if not requested
 */
record TestReport(
        Map<String, List<CaseResult>> results, @Nullable TestStrength strength) {
    private List<CaseResult> all() {
        return results.values().stream().flatMap(List::stream).toList();
    }

    long failed() {
        return all().stream().filter(result -> !result.passed()).count();
    }

    /**
     * Prints it.
     *
     * @param verbose whether passed cases are listed too
     */
    void print(Report report, boolean verbose) {
        for (CaseResult result : all()) {
            String name =
                    Quoted.oneLine(result.of().where() + ": " + result.of().name());
            if (!result.passed()) {
                report.print(report.paint(Colour.RED, "FAIL") + " " + name + ": " + Quoted.oneLine(result.failure()));
            } else if (verbose) {
                report.print(report.paint(Colour.GREEN, "PASS") + " " + name);
            }
        }
        report.print(all().size() - failed() + " passed, " + failed() + " failed");
        TestStrength held = strength;
        if (held != null) {
            report.print("coverage " + held.coverage() + " %: "
                    + (held.units() - held.uncovered().size()) + " of " + held.units()
                    + " rules and lines allow a case");
            held.uncovered().forEach(name -> report.print("  not covered: " + Quoted.oneLine(name)));
            report.print("mutation " + held.noticed() + " %: "
                    + (held.mutants() - held.survivors().size()) + " of " + held.mutants() + " changes break a case");
            held.survivors().forEach(name -> report.print("  not noticed: " + Quoted.oneLine(name)));
        }
    }

    Object document() {
        List<Map<String, Object>> cases =
                all().stream().map(TestReport::document).toList();
        Map<String, Object> document = object("passed", all().size() - failed(), "failed", failed(), "cases", cases);
        TestStrength held = strength;
        if (held != null) {
            document.put(
                    "coverage",
                    object("units", held.units(), "percent", held.coverage(), "uncovered", held.uncovered()));
            document.put(
                    "mutation",
                    object("mutants", held.mutants(), "percent", held.noticed(), "survivors", held.survivors()));
        }
        return document;
    }

    private static Map<String, Object> document(CaseResult result) {
        Map<String, Object> document = object(
                "name", result.of().name(),
                "source", SourceObject.of(result.of().where().toString()),
                "passed", result.passed(),
                "expected", CaseResult.word(result.of().allowed()),
                "was", CaseResult.word(result.allowed()),
                "reason", result.reason());
        if (!result.unknown().isEmpty()) {
            document.put("unknown", result.unknown());
        }
        return document;
    }
}
