package io.plat.review.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceNode.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reader of JSON (RFC 8259) as a tree. */
record JsonTree(TreeBuilder tree, int linesBefore, JsonParser parser) {
    private static final JsonFactory JSON = JsonFactories.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(SourceReader.MAX_DEPTH)
                    .maxStringLength(SourceReader.MAX_BYTES)
                    .maxNameLength(SourceReader.MAX_BYTES)
                    .maxNumberLength(100)
                    .build())
            .build();

    /** Reads the only value of a text. */
    static SourceNode readOne(String file, int firstLine, String text) throws ProblemsException {
        List<SourceNode> values = readAll(new TreeBuilder(file), firstLine, text);
        if (values.size() == 1) {
            return values.getFirst();
        }
        Location where =
                values.isEmpty() ? new Location(file, firstLine) : values.get(1).where();
        throw new ProblemsException(new Problem(
                where,
                values.isEmpty() ? "expected a JSON value, found nothing" : "unexpected text after the JSON value"));
    }

    /** Reads all values of a text, whose first line has a number. */
    static List<SourceNode> readAll(TreeBuilder tree, int firstLine, String text) throws ProblemsException {
        try (JsonParser parser = JSON.createParser(text)) {
            List<SourceNode> values = new ArrayList<>();
            try {
                values.addAll(new JsonTree(tree, firstLine - 1, parser).values());
            } catch (JsonProcessingException e) {
                // The message of a limit has no location; the parser's location is used.
                JsonLocation where = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
                int line = where.getLineNr();
                tree.problem(tree.at(line > 0 ? line + firstLine - 1 : 0), "not valid JSON: " + JsonText.message(e));
            }
            tree.finish();
            return values;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
    }

    /** Reads the value at a parser's position. */
    static SourceNode readValue(JsonParser parser) throws IOException, ProblemsException {
        TreeBuilder tree = new TreeBuilder("");
        SourceNode value = new JsonTree(tree, 0, parser).value(parser.currentToken());
        tree.finish();
        return value;
    }

    private List<SourceNode> values() throws IOException, ProblemsException {
        List<SourceNode> values = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            tree.countDocument(here());
            values.add(value(token));
        }
        return values;
    }

    private Location here() {
        return tree.at(parser.currentTokenLocation().getLineNr() + linesBefore);
    }

    private SourceNode value(JsonToken token) throws IOException, ProblemsException {
        Location where = here();
        tree.count(where, 1);
        return switch (token) {
            case START_OBJECT -> mapping(where);
            case START_ARRAY -> sequence(where);
            case VALUE_STRING -> new Scalar(where, ScalarType.STRING, parser.getText());
            case VALUE_NUMBER_INT -> new Scalar(where, ScalarType.INTEGER, parser.getText());
            case VALUE_NUMBER_FLOAT -> new Scalar(where, ScalarType.FLOAT, parser.getText());
            case VALUE_TRUE, VALUE_FALSE -> new Scalar(where, ScalarType.BOOLEAN, parser.getText());
            case VALUE_NULL -> new Scalar(where, ScalarType.NULL, "");
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IllegalStateException("no value starts with " + token);
        };
    }

    private SourceNode mapping(Location where) throws IOException, ProblemsException {
        TreeBuilder.Fields fields = tree.new Fields(where);
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            Location keyAt = here();
            fields.put(keyAt, key, value(parser.nextToken()));
        }
        return fields.build();
    }

    private SourceNode sequence(Location where) throws IOException, ProblemsException {
        List<SourceNode> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token));
        }
        return new Sequence(where, items);
    }
}
