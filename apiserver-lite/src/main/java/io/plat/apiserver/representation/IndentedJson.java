package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** JSON for people, indented as existing servers do. Copies token by token: no tree, and numbers as they were written. */
public final class IndentedJson {
    private static final JsonFactory JSON = JsonFactories.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    /** Documents of no more bytes than this stay small, however deep they are. */
    private static final int SMALL = 4096;

    private IndentedJson() {}

    /** A document of the server's own, indented. */
    public static byte[] of(byte[] json) {
        if (json.length > SMALL) {
            RequestMemory.current().charge(3 * TreeSize.indentation(json));
        }
        var out = new ByteArrayOutputStream(json.length * 2);
        try (JsonGenerator generator = generator(out)) {
            copy(json, generator);
        } catch (IOException e) {
            throw new UncheckedIOException("a document of the server's own is JSON", e);
        }
        return out.toByteArray();
    }

    /**
     * Writes a list, object by object.
     *
     * @throws IOException where the stream does
     */
    static void write(ServedList list, OutputStream out) throws IOException {
        // Not closed where it fails: what it still holds belongs to an answer that nobody gets.
        JsonGenerator generator = generator(out);
        generator.writeStartObject();
        generator.writeStringField("kind", list.type().kind() + "List");
        generator.writeStringField("apiVersion", list.type().apiVersion());
        generator.writeFieldName("metadata");
        copy(JsonList.metadata(list).getBytes(StandardCharsets.UTF_8), generator);
        generator.writeArrayFieldStart("items");
        for (ServedObject object : list.items()) {
            copy(object.item(), generator);
        }
        generator.writeEndArray();
        generator.writeEndObject();
        generator.close();
    }

    private static JsonGenerator generator(OutputStream out) throws IOException {
        JsonGenerator generator = JSON.createGenerator(out);
        PrettyPrinter printer = PRINTER.createInstance();
        generator.setPrettyPrinter(printer);
        return generator;
    }

    private static void copy(byte[] json, JsonGenerator generator) throws IOException {
        try (JsonParser parser = JSON.createParser(json)) {
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
        }
    }
}
