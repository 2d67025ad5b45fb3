package io.plat.cli.policytest;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tests found.
 *
 * @param results by file
 * @param strength how much of the policies they hold, null where that was not asked
 */
record TestReport(
        Map<String, List<Result>> results, @Nullable Strength strength) {
    private List<Result> all() {
        return results.values().stream().flatMap(List::stream).toList();
    }

    long failed() {
        return all().stream().filter(result -> !result.passed()).count();
    }

    void print(Report report) {
        for (Result result : all()) {
            if (!result.passed()) {
                report.print(report.paint(Colour.RED, "FAIL") + " "
                        + Quoted.oneLine(
                                result.of().where() + ": " + result.of().name() + ": " + result.failure()));
            }
        }
        report.print(all().size() - failed() + " passed, " + failed() + " failed");
        Strength held = strength;
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

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("passed", all().size() - failed());
        json.writeNumberField("failed", failed());
        json.writeArrayFieldStart("cases");
        for (Result result : all()) {
            json.writeStartObject();
            json.writeStringField("name", JsonText.wellFormed(result.of().name()));
            json.writeStringField(
                    "source", JsonText.wellFormed(result.of().where().toString()));
            json.writeBooleanField("passed", result.passed());
            json.writeStringField("expected", Result.word(result.of().allowed()));
            json.writeStringField("was", Result.word(result.allowed()));
            json.writeStringField("reason", JsonText.wellFormed(result.reason()));
            json.writeEndObject();
        }
        json.writeEndArray();
        Strength held = strength;
        if (held != null) {
            part("coverage", "units", held.units(), "uncovered", held.uncovered(), held.coverage(), json);
            part("mutation", "mutants", held.mutants(), "survivors", held.survivors(), held.noticed(), json);
        }
        json.writeEndObject();
    }

    private static void part(
            String name, String all, int count, String left, List<String> which, int percent, JsonGenerator json)
            throws IOException {
        json.writeObjectFieldStart(name);
        json.writeNumberField(all, count);
        json.writeNumberField("percent", percent);
        json.writeArrayFieldStart(left);
        for (String one : which) {
            json.writeString(JsonText.wellFormed(one));
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
