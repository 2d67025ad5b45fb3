package io.plat.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonObject;
import io.plat.review.source.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
            if (in.nextToken() != null) {
                throw new IOException("more than one JSON document");
            }
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

    /**
     * Returns the value of a document, as {@link JsonObject#value} reads it.
     *
     * @throws IOException if it is not one JSON document
     */
    public static @Nullable Object read(byte[] json) throws IOException {
        try (JsonParser in = parser(json)) {
            return JsonObject.document(in);
        }
    }
}
