package io.plat.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** JSON of a server, printed indented or as YAML. */
public final class JsonDocument {
    private static final JsonFactory JSON = JsonFactories.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(200).build())
            .build();

    private JsonDocument() {}

    /** Returns a parser of a document. */
    public static JsonParser parser(byte[] json) throws IOException {
        return JSON.createParser(json);
    }

    /**
     * Returns the document in an output format, with a line end.
     *
     * @throws IOException if the bytes are not one JSON document
     */
    public static String print(byte[] json, OutputFormat format) throws IOException {
        return switch (format) {
            case JSON, TEXT -> indented(json);
            case YAML -> yaml(json);
        };
    }

    private static String indented(byte[] json) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DefaultIndenter twoSpaces = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(twoSpaces);
        printer.indentArraysWith(twoSpaces);
        try (JsonParser in = parser(json);
                JsonGenerator generator = JSON.createGenerator(out).setPrettyPrinter(printer)) {
            in.nextToken();
            generator.copyCurrentStructure(in);
            requireEnd(in);
        }
        return Quoted.visible(out.toString(StandardCharsets.UTF_8)) + "\n";
    }

    private static String yaml(byte[] json) throws IOException {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(0);
        Object document = read(json);
        String plain = new Yaml(options).dump(document);
        if (Quoted.isSafe(plain.replace("\n", ""))) {
            return plain;
        }
        options.setAllowUnicode(false);
        return new Yaml(options).dump(document);
    }

    private static void requireEnd(JsonParser in) throws IOException {
        if (in.nextToken() != null) {
            throw new IOException("more than one JSON document");
        }
    }

    /**
     * Returns the value of a document.
     *
     * @throws IOException if it is not one JSON document
     */
    public static @Nullable Object read(byte[] json) throws IOException {
        try (JsonParser in = parser(json)) {
            in.nextToken();
            Object document = value(in);
            requireEnd(in);
            return document;
        }
    }

    /**
     * Reads the parser's current value, as maps, lists, strings, numbers, booleans and null.
     *
     * @throws IOException if there is none
     */
    public static @Nullable Object value(JsonParser in) throws IOException {
        JsonToken token = in.currentToken();
        if (token == null) {
            throw new IOException("no JSON document");
        }
        return switch (token) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT -> integer(in);
            case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case END_OBJECT, END_ARRAY, FIELD_NAME, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("unexpected " + token);
        };
    }

    private static Number integer(JsonParser in) throws IOException {
        BigInteger exact = in.getBigIntegerValue();
        return exact.bitLength() < Long.SIZE ? (Number) exact.longValue() : exact;
    }

    private static Map<String, @Nullable Object> object(JsonParser in) throws IOException {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            fields.put(name, value(in));
        }
        return fields;
    }

    private static List<@Nullable Object> array(JsonParser in) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(in));
        }
        return items;
    }
}
