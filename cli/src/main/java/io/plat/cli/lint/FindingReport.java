package io.plat.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.util.List;

/** Findings for people and for programs. */
final class FindingReport {
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
        if (findings.isEmpty()) {
            report.print("nothing found");
        }
    }

    static void write(List<Finding> findings, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringField("id", finding.rule().id());
            json.writeStringField("severity", finding.rule().severity().toString());
            json.writeStringField("source", JsonText.wellFormed(finding.where().toString()));
            json.writeStringField("message", JsonText.wellFormed(finding.message()));
            json.writeArrayFieldStart("path");
            for (String step : finding.path()) {
                json.writeString(JsonText.wellFormed(step));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
