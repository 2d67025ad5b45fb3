package io.plat.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Findings as a log of the Static Analysis Results Interchange Format, version 2.1.0. */
final class Sarif {
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private final JsonGenerator json;

    private Sarif(JsonGenerator json) {
        this.json = json;
    }

    static void write(List<Finding> findings, String version, JsonGenerator json) throws IOException {
        new Sarif(json).log(findings, version);
    }

    private void log(List<Finding> findings, String version) throws IOException {
        json.writeStartObject();
        json.writeStringField("$schema", SCHEMA);
        json.writeStringField("version", "2.1.0");
        json.writeArrayFieldStart("runs");
        json.writeStartObject();
        tool(version);
        json.writeArrayFieldStart("results");
        for (Finding finding : findings) {
            result(finding);
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void tool(String version) throws IOException {
        json.writeObjectFieldStart("tool");
        json.writeObjectFieldStart("driver");
        json.writeStringField("name", "plat lint");
        json.writeStringField("version", version);
        json.writeArrayFieldStart("rules");
        for (LintRule rule : LintRule.values()) {
            json.writeStartObject();
            json.writeStringField("id", rule.id());
            text("shortDescription", rule.summary());
            json.writeObjectFieldStart("defaultConfiguration");
            json.writeStringField("level", rule.severity().toString());
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private void text(String name, String text) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeStringField("text", JsonText.wellFormed(text));
        json.writeEndObject();
    }

    private void result(Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("ruleId", finding.rule().id());
        json.writeStringField("level", finding.rule().severity().toString());
        text("message", finding.message());
        json.writeArrayFieldStart("locations");
        location(finding.where(), "");
        json.writeEndArray();
        if (!finding.path().isEmpty()) {
            flow(finding);
        }
        json.writeEndObject();
    }

    private void location(Location where, String message) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("physicalLocation");
        json.writeObjectFieldStart("artifactLocation");
        json.writeStringField("uri", reference(where.file()));
        json.writeEndObject();
        if (where.line() > 0) {
            json.writeObjectFieldStart("region");
            json.writeNumberField("startLine", where.line());
            json.writeEndObject();
        }
        json.writeEndObject();
        if (!message.isEmpty()) {
            text("message", message);
        }
        json.writeEndObject();
    }

    /** The relative reference to a file (RFC 3986), whatever its name has in it. */
    private static String reference(String file) {
        String path = JsonText.wellFormed(file.replace('\\', '/'));
        try {
            // A colon in the first segment would make a scheme of what stands before it.
            int colon = path.indexOf(':');
            boolean scheme = colon >= 0 && path.lastIndexOf('/', colon) < 0;
            return new URI(null, null, scheme ? "./" + path : path, null).toASCIIString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a path that no reference can have: " + path, e);
        }
    }

    /** A climb, step by step. */
    private void flow(Finding finding) throws IOException {
        json.writeArrayFieldStart("codeFlows");
        json.writeStartObject();
        json.writeArrayFieldStart("threadFlows");
        json.writeStartObject();
        json.writeArrayFieldStart("locations");
        for (String step : finding.path()) {
            json.writeStartObject();
            json.writeFieldName("location");
            location(finding.where(), step);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    }
}
