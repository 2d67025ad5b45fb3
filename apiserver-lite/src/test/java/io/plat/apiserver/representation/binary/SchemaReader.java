package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.representation.binary.Schema.Property;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the parts of schemas that the binary form needs, without keeping the rest in memory. */
final class SchemaReader {
    private static final String REFERENCE = "#/definitions/";

    private final JsonParser parser;

    /** Creates a reader; the parser is positioned before an object of definitions. */
    SchemaReader(JsonParser parser) {
        this.parser = parser;
    }

    /** Returns the schemas by the names of their definitions. */
    Map<String, Schema> read() throws IOException {
        var schemas = new HashMap<String, Schema>();
        parser.nextToken();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            schemas.put(name, schema());
        }
        return schemas;
    }

    private Schema schema() throws IOException {
        var properties = new HashMap<String, Property>();
        var required = new HashSet<String>();
        var kinds = new ArrayList<TypeMeta>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "properties" -> properties(properties);
                case "required" -> required(required);
                case "x-kubernetes-group-version-kind" -> kinds(kinds);
                default -> parser.skipChildren();
            }
        }
        return new Schema(properties, required, kinds);
    }

    private void properties(Map<String, Property> into) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            into.put(name, property());
        }
    }

    private Property property() throws IOException {
        String type = "";
        String format = "";
        String reference = "";
        @Nullable Property elements = null;
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken value = parser.nextToken();
            switch (name) {
                case "type" -> type = parser.getText();
                case "format" -> format = parser.getText();
                case "$ref" -> reference = parser.getText();
                case "items", "additionalProperties" -> {
                    if (value == JsonToken.START_OBJECT) {
                        elements = property();
                    }
                }
                default -> parser.skipChildren();
            }
        }
        String definition = reference.startsWith(REFERENCE) ? reference.substring(REFERENCE.length()) : "";
        return new Property(type, format, definition, elements);
    }

    private void required(Set<String> into) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            into.add(parser.getText());
        }
    }

    private void kinds(List<TypeMeta> into) throws IOException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            var kind = new HashMap<String, String>();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                kind.put(name, parser.nextTextValue());
            }
            String group = kind.getOrDefault("group", "");
            String version = kind.getOrDefault("version", "");
            into.add(new TypeMeta(group.isEmpty() ? version : group + "/" + version, kind.getOrDefault("kind", "")));
        }
    }
}
