package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.type.Column;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Table columns of a version: the name, and those of its definition, or the age. Immutable.
 *
 * @param paths paths of their values; empty for a malformed path
 */
record PrinterColumns(List<Column> columns, List<Optional<JsonPath>> paths) {
    static final int MAX_COLUMNS = 100;

    /** Maximum number of list elements and map entries that are examined for one row. */
    private static final int MAX_ELEMENTS = 100_000;

    /** Total length of the cells of a row after which texts are truncated, in characters. */
    private static final int MAX_CHARACTERS = 128 << 10;

    private static final Column NAME = new Column(
            "Name", "string", "name", "The name of the object, which no other of its type and namespace has.", 0);
    private static final Column AGE = new Column("Age", "date", "", "Time since the object was created.", 0);

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

    List<Object> cells(JsonNode object) {
        var row = new Row();
        var cells = new ArrayList<Object>();
        cells.add(object.path("metadata").path("name").asText(""));
        for (int i = 1; i < columns.size(); i++) {
            List<JsonNode> values = paths.get(i)
                    .map(path -> path.values(object, any -> --row.elements >= 0))
                    .orElse(List.of());
            Optional<Object> value = values.isEmpty() || values.getFirst().isNull()
                    ? Optional.empty()
                    : row.value(columns.get(i).type(), values.getFirst());
            cells.add(value.isPresent() ? value.get() : value);
        }
        return cells;
    }

    /** Remaining budget for the cells of a row, as several columns may select the same large value. */
    private static final class Row {
        private int elements = MAX_ELEMENTS;
        private int characters = MAX_CHARACTERS;

        Optional<Object> value(String type, JsonNode value) {
            return switch (type) {
                case "integer" -> value.isNumber() ? Optional.of(value.asLong()) : Optional.empty();
                case "number" -> value.isNumber() ? Optional.of(value.asDouble()) : Optional.empty();
                case "boolean" -> value.isBoolean() ? Optional.of(value.booleanValue()) : Optional.empty();
                case "date" -> value.isTextual() ? Optional.of(time(value.textValue())) : Optional.empty();
                default -> Optional.of(text(value));
            };
        }

        /** Returns a string as it is and another value as JSON. */
        private String text(JsonNode value) {
            String text = characters <= 0
                    ? "..."
                    : FieldErrorMessages.clipped(
                            value.isValueNode() ? value.asText() : FieldErrorMessages.beginning(value, characters + 1),
                            characters);
            characters -= text.length();
            return text;
        }
    }

    private static Object time(String time) {
        try {
            return OffsetDateTime.parse(time).toInstant();
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }

    /** JSONPath of a printer column: fields, elements, all elements, and elements with a field of some value. Immutable. */
    record JsonPath(List<Step> steps) {
        private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_$-]+|\\*)"
                + "|\\[(-?[0-9]{1,9})\\]|\\[(\\*)\\]|\\[['\"]([^'\"\\]]+)['\"]\\]"
                + "|\\[\\?\\(\\s*@\\.([A-Za-z0-9_.-]+)\\s*==\\s*(?:['\"]([^'\"]*)['\"]|([A-Za-z0-9_.-]+))\\s*\\)\\]");

        /** Maximum length of a path, in characters. */
        private static final int MAX_LENGTH = 1024;

        /** Step of a path, which selects values within the budget of elements. */
        private interface Step {
            Stream<JsonNode> from(JsonNode value, Predicate<JsonNode> allowed);
        }

        /** Parses a path; empty if malformed. A backslash escapes a dot in a name. */
        static Optional<JsonPath> parse(String text) {
            if (text.length() > MAX_LENGTH) {
                return Optional.empty();
            }
            var steps = new ArrayList<Step>();
            String rest = (text.startsWith(".") || text.startsWith("[") ? text : "." + text).replace("\\.", "\u0000");
            Matcher matcher = STEP.matcher(rest.replace('\u0000', '$'));
            int end = 0;
            while (matcher.find() && matcher.start() == end) {
                end = matcher.end();
                if (matcher.group(1) != null) {
                    String name =
                            rest.substring(matcher.start(1), matcher.end(1)).replace('\u0000', '.');
                    steps.add(name.equals("*") ? JsonPath::elements : field(name));
                } else if (matcher.group(2) != null) {
                    int index = Integer.parseInt(matcher.group(2));
                    steps.add((value, allowed) -> present(value.path(index < 0 ? value.size() + index : index)));
                } else if (matcher.group(3) != null) {
                    steps.add(JsonPath::elements);
                } else if (matcher.group(4) != null) {
                    steps.add(field(matcher.group(4)));
                } else {
                    String value = matcher.group(6) == null ? matcher.group(7) : matcher.group(6);
                    steps.add(having(List.of(matcher.group(5).split("\\.", -1)), value));
                }
            }
            return end == rest.length() ? Optional.of(new JsonPath(List.copyOf(steps))) : Optional.empty();
        }

        private static Step field(String name) {
            return (value, allowed) -> present(value.path(name));
        }

        private static Stream<JsonNode> elements(JsonNode value, Predicate<JsonNode> allowed) {
            return value.valueStream().takeWhile(allowed);
        }

        private static Step having(List<String> path, String desired) {
            return (value, allowed) -> elements(value, allowed).filter(element -> {
                JsonNode compared = element;
                for (String name : path) {
                    compared = compared.path(name);
                }
                return compared.isValueNode() && compared.asText().equals(desired);
            });
        }

        private static Stream<JsonNode> present(JsonNode value) {
            return value.isMissingNode() ? Stream.empty() : Stream.of(value);
        }

        /** Returns the values that it leads to, in their order. */
        List<JsonNode> values(JsonNode object, Predicate<JsonNode> allowed) {
            Stream<JsonNode> at = Stream.of(object);
            for (Step step : steps) {
                at = at.flatMap(value -> step.from(value, allowed));
            }
            return at.toList();
        }
    }
}
