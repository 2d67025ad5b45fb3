package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.resource.Column;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The columns of a version's table: the name, and what its definition names, or the age. Immutable. */
final class PrinterColumns {
    static final String NAME = "The name of the object, which no other of its type and namespace has.";
    static final String AGE = "How long ago the object was created.";

    private final List<Cell> cells;

    private PrinterColumns(List<Cell> cells) {
        this.cells = List.copyOf(cells);
    }

    /** What stands in a column. */
    private record Cell(String type, @Nullable JsonPath path) {}

    /** What the columns are called. */
    static List<Column> described(JsonNode version) {
        JsonNode named = version.path("additionalPrinterColumns");
        if (named.isEmpty()) {
            return CustomType.standardColumns();
        }
        var columns = new ArrayList<Column>();
        columns.add(CustomType.standardColumns().getFirst());
        for (JsonNode column : named) {
            String description = column.path("description").asText("");
            columns.add(new Column(
                    column.path("name").asText(),
                    column.path("type").asText(),
                    column.path("format").asText(""),
                    description.isEmpty()
                            ? "Custom resource definition column (in JSONPath format): "
                                    + column.path("jsonPath").asText()
                            : description,
                    column.path("priority").asInt()));
        }
        return columns;
    }

    static PrinterColumns of(JsonNode version) {
        var cells = new ArrayList<Cell>();
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            cells.add(new Cell(
                    column.path("type").asText(),
                    JsonPath.parse(column.path("jsonPath").asText()).orElse(null)));
        }
        if (cells.isEmpty()) {
            cells.add(new Cell(
                    "date", JsonPath.parse(".metadata.creationTimestamp").orElse(null)));
        }
        return new PrinterColumns(cells);
    }

    /** The cells of an object's row. */
    List<Object> cells(JsonNode object) {
        var row = new ArrayList<Object>();
        row.add(object.path("metadata").path("name").asText(""));
        for (Cell cell : cells) {
            Optional<Object> value = value(cell, object);
            row.add(value.isPresent() ? value.get() : value);
        }
        return row;
    }

    private static Optional<Object> value(Cell cell, JsonNode object) {
        if (cell.path() == null) {
            return Optional.empty();
        }
        List<JsonNode> found = cell.path().values(object);
        if (found.isEmpty() || found.getFirst().isNull()) {
            return Optional.empty();
        }
        JsonNode value = found.getFirst();
        return switch (cell.type()) {
            case "integer" -> value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
            case "number" -> value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
            case "boolean" -> value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
            case "date" -> Optional.of(time(value.asText("")));
            default -> Optional.of(text(found));
        };
    }

    private static Object time(String time) {
        try {
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }

    /** Texts as they are, everything else as JSON, several as a list. */
    private static String text(List<JsonNode> found) {
        List<String> texts = found.stream()
                .map(value -> value.isValueNode() ? value.asText() : value.toString())
                .toList();
        return String.join(" ", texts);
    }
}
