package io.plat.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A document that a command makes of its own answer. */
public final class JsonAnswer {
    private static final JsonFactory JSON = JsonFactories.create();

    private JsonAnswer() {}

    /** Writes one JSON value. */
    @FunctionalInterface
    public interface Body {
        /** Writes it. */
        void write(JsonGenerator json) throws IOException;
    }

    /** The document as bytes. */
    public static byte[] of(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return bytes.toByteArray();
    }
}
