package io.plat.cli.policytest;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.output.SourceObject;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            String name = Quoted.oneLine(
                    result.testCase().where() + ": " + result.testCase().name());
            if (!result.passed()) {
                report.print(report.paint(Colour.RED, "FAIL") + " " + name + ": " + Quoted.oneLine(result.failure()));
            } else if (verbose) {
                report.print(report.paint(Colour.GREEN, "PASS") + " " + name);
            }
        }
        report.print(all().size() - failed() + " passed, " + failed() + " failed");
        TestStrength measured = strength;
        if (measured != null) {
            report.print("coverage " + measured.coverage() + " %: "
                    + (measured.units() - measured.uncovered().size()) + " of " + measured.units()
                    + " rules and lines allow a case");
            measured.uncovered().forEach(name -> report.print("  not covered: " + Quoted.oneLine(name)));
            report.print("mutation " + measured.detected() + " %: "
                    + (measured.mutants() - measured.survivors().size()) + " of " + measured.mutants()
                    + " changes break a case");
            measured.survivors().forEach(name -> report.print("  not detected: " + Quoted.oneLine(name)));
        }
    }

    Object document() {
        List<Map<String, Object>> cases =
                all().stream().map(TestReport::document).toList();
        Map<String, Object> document = object("passed", all().size() - failed(), "failed", failed(), "cases", cases);
        TestStrength measured = strength;
        if (measured != null) {
            document.put(
                    "coverage",
                    object(
                            "units", measured.units(),
                            "percent", measured.coverage(),
                            "uncovered", measured.uncovered()));
            document.put(
                    "mutation",
                    object(
                            "mutants", measured.mutants(),
                            "percent", measured.detected(),
                            "survivors", measured.survivors()));
        }
        return document;
    }

    private static Map<String, Object> document(CaseResult result) {
        Map<String, Object> document = object(
                "name", result.testCase().name(),
                "source", SourceObject.of(result.testCase().where().toString()),
                "passed", result.passed(),
                "expected", CaseResult.word(result.testCase().allowed()),
                "was", CaseResult.word(result.allowed()),
                "reason", result.reason());
        if (!result.unknown().isEmpty()) {
            document.put("unknown", result.unknown());
        }
        return document;
    }

    /** Results as JUnit XML. */
    static final class JUnitReport {
        private JUnitReport() {}

        /**
         * Returns the report.
         *
         * @param results results of each file
         * @param missed thresholds that were not reached, as text; each is a separate failed test
         */
        static String of(Map<String, List<CaseResult>> results, List<String> missed) {
            List<CaseResult> all =
                    results.values().stream().flatMap(List::stream).toList();
            StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites")
                    .append(counts(all, missed.size()))
                    .append(">\n");
            results.forEach((file, some) -> xml.append(suite(
                    file,
                    counts(some, 0),
                    some.stream()
                            .map(result -> testcase(
                                    file,
                                    result.testCase().name(),
                                    " line=\"" + result.testCase().where().line() + "\"",
                                    result.passed() ? "" : result.failure())))));
            if (!missed.isEmpty()) {
                xml.append(suite(
                        "thresholds",
                        counts(List.of(), missed.size()),
                        missed.stream()
                                .map(message -> testcase(
                                        "thresholds", message.substring(0, message.indexOf(' ')), "", message))));
            }
            return xml.append("</testsuites>").toString();
        }

        private static String suite(String name, String counts, Stream<String> cases) {
            return "  <testsuite name=\"" + escaped(name) + "\"" + counts + ">\n" + cases.collect(Collectors.joining())
                    + "  </testsuite>\n";
        }

        private static String counts(List<CaseResult> results, int missed) {
            long failures =
                    missed + results.stream().filter(result -> !result.passed()).count();
            return " tests=\"" + (results.size() + missed) + "\" failures=\"" + failures + "\" errors=\"0\"";
        }

        private static String testcase(String suite, String name, String line, String failure) {
            return "    <testcase classname=\"" + escaped(suite) + "\" name=\"" + escaped(name) + "\"" + line
                    + (failure.isEmpty()
                            ? "/>\n"
                            : ">\n      <failure message=\"" + escaped(failure) + "\"/>\n    </testcase>\n");
        }

        /** Returns a text for an attribute; characters that are invalid in XML are replaced. */
        private static String escaped(String text) {
            StringBuilder escaped = new StringBuilder(text.length());
            text.codePoints().forEach(c -> {
                switch (c) {
                    case '&' -> escaped.append("&amp;");
                    case '<' -> escaped.append("&lt;");
                    case '>' -> escaped.append("&gt;");
                    case '"' -> escaped.append("&quot;");
                    case '\t', '\n', '\r' -> escaped.append("&#").append(c).append(';');
                    // Noncharacters, which XML refuses, are unsafe too.
                    default -> escaped.appendCodePoint(Quoted.isUnsafe(c) ? 0xFFFD : c);
                }
            });
            return escaped.toString();
        }
    }
}
