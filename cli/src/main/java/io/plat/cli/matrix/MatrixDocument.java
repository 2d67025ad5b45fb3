package io.plat.cli.matrix;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import io.plat.review.source.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A matrix for programs: as JSON the cells in which something is allowed, as CSV the whole of it. */
final class MatrixDocument {
    private static final JsonFactory JSON = JsonFactories.create();

    /** What a spreadsheet takes for the beginning of a formula, in full width too. */
    private static final String FORMULA = "=+-@＝＋－＠";

    private MatrixDocument() {}

    static byte[] json(AccessMatrix matrix) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            strings("subjects", matrix.subjects(), json);
            strings("resources", matrix.resources(), json);
            json.writeArrayFieldStart("cells");
            for (int row = 0; row < matrix.subjects().size(); row++) {
                for (int column = 0; column < matrix.resources().size(); column++) {
                    cell(matrix, row, column, json);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return out.toByteArray();
    }

    private static void cell(AccessMatrix matrix, int row, int column, JsonGenerator json) throws IOException {
        List<String> allowed = matrix.allowed().get(row).get(column);
        if (!allowed.isEmpty()) {
            json.writeStartObject();
            json.writeStringField(
                    "subject", JsonText.wellFormed(matrix.subjects().get(row)));
            json.writeStringField(
                    "resource", JsonText.wellFormed(matrix.resources().get(column)));
            strings("verbs", allowed, json);
            json.writeEndObject();
        }
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(JsonText.wellFormed(value));
        }
        json.writeEndArray();
    }

    /** Lines of comma-separated values (RFC 4180, with line feeds). */
    static String csv(AccessMatrix matrix) {
        StringBuilder csv = new StringBuilder("subject");
        matrix.resources().forEach(resource -> csv.append(',').append(field(resource)));
        for (int row = 0; row < matrix.subjects().size(); row++) {
            csv.append('\n').append(field(matrix.subjects().get(row)));
            matrix.allowed().get(row).forEach(cell -> csv.append(',').append(field(String.join(" ", cell))));
        }
        return csv.toString();
    }

    /** A name that a spreadsheet would take for a formula is kept from that by an apostrophe. */
    private static String field(String value) {
        String line = Quoted.oneLine(value);
        String safe = !line.isEmpty() && FORMULA.indexOf(line.charAt(0)) >= 0 ? "'" + line : line;
        boolean plain = safe.chars().noneMatch(character -> ",;\"".indexOf(character) >= 0);
        return plain ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
