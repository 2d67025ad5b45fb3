package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.BoundedJson;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.type.Column;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Table columns of a version: the name, and those of its definition, or the age. Immutable.
 *
 * @param paths paths of their values; empty for a malformed path
 */
record PrinterColumns(List<Column> columns, List<Optional<JsonPath>> paths) {
    /** Maximum number of columns of a version. */
    static final int MAX_COLUMNS = 100;

    /** Maximum number of list elements and map entries that are examined for one row. */
    private static final int MAX_ELEMENTS = 100_000;

    /** Total length of the cells of a row after which texts are truncated, in characters. */
    private static final int MAX_CHARACTERS = 128 << 10;

    private static final Column NAME = new Column(
            "Name", "string", "name", "The name of the object, which no other of its type and namespace has.", 0);
    private static final Column AGE = new Column("Age", "date", "", "How long ago the object was created.", 0);

    static PrinterColumns of(JsonNode version) {
        var columns = new ArrayList<>(List.of(NAME));
        var paths = new ArrayList<>(List.of(JsonPath.parse(".metadata.name")));
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            if (columns.size() > MAX_COLUMNS) {
                // The definition is older than the limit.
                break;
            }
            String path = column.path("jsonPath").asText();
            String description = column.path("description").asText("");
            columns.add(new Column(
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("format").asText(""),
                    description.isEmpty()
                            ? "Custom resource definition column (in JSONPath format): " + path
                            : description,
                    column.path("priority").asInt()));
            paths.add(JsonPath.parse(path));
        }
        if (columns.size() == 1) {
            columns.add(AGE);
            paths.add(JsonPath.parse(".metadata.creationTimestamp"));
        }
        return new PrinterColumns(List.copyOf(columns), List.copyOf(paths));
    }

    /** Returns the cells of an object's row. */
    List<Object> cells(JsonNode object) {
        var row = new Row();
        var cells = new ArrayList<Object>();
        cells.add(object.path("metadata").path("name").asText(""));
        for (int i = 1; i < columns.size(); i++) {
            List<JsonNode> found = paths.get(i)
                    .map(path -> path.values(object, any -> --row.elements >= 0))
                    .orElse(List.of());
            Optional<Object> value = found.isEmpty() || found.getFirst().isNull()
                    ? Optional.empty()
                    : row.value(columns.get(i).type(), found);
            cells.add(value.isPresent() ? value.get() : value);
        }
        return cells;
    }

    /** Remaining budget for the cells of a row, as several columns may select the same large value. */
    private static final class Row {
        private int elements = MAX_ELEMENTS;
        private int characters = MAX_CHARACTERS;

        Optional<Object> value(String type, List<JsonNode> found) {
            JsonNode value = found.getFirst();
            return switch (type) {
                case "integer" -> value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
                case "number" -> value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
                case "boolean" -> value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
                case "date" -> Optional.of(time(value.asText("")));
                default -> Optional.of(text(found));
            };
        }

        /** Returns strings as they are and other values as JSON, separated by spaces. */
        private String text(List<JsonNode> found) {
            var text = new StringBuilder();
            for (JsonNode one : found) {
                int left = characters - text.length();
                if (left <= 0) {
                    text.append("...");
                    break;
                }
                text.append(text.isEmpty() ? "" : " ");
                text.append(FieldErrorMessages.clipped(
                        one.isValueNode() ? one.asText() : BoundedJson.of(one, left + 1), left));
            }
            characters -= text.length();
            return text.toString();
        }
    }

    private static Object time(String time) {
        try {
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }
}
