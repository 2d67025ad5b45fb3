package io.plat.apiserver.representation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** JSON for people, indented as existing servers do. Copies token by token: no tree, and numbers as they were written. */
public final class IndentedJson {
    private static final JsonFactory JSON = new JsonFactory();

    private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private IndentedJson() {}

    /** A document of the server's own, indented. */
    public static byte[] of(byte[] json) {
        var out = new ByteArrayOutputStream(json.length * 2);
        try (JsonParser parser = JSON.createParser(json);
                JsonGenerator generator = JSON.createGenerator(out)) {
            PrettyPrinter printer = PRINTER.createInstance();
            generator.setPrettyPrinter(printer);
            while (parser.nextToken() != null) {
                generator.copyCurrentEventExact(parser);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a document of the server's own is JSON", e);
        }
        return out.toByteArray();
    }
}
