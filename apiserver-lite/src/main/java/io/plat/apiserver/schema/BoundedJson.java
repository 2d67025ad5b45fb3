package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Bounded prefix of a value as JSON. The rest is not written, so that large values cost no more. */
public final class BoundedJson extends Writer {
    private static final JsonMapper JSON = new JsonMapper(JsonFactories.create());

    private final StringBuilder text = new StringBuilder();
    private final int maxLength;

    private BoundedJson(int maxLength) {
        this.maxLength = maxLength;
    }

    /** Ends the writing of a value. */
    private static final class LimitReachedException extends IOException {
        private static final long serialVersionUID = 1L;

        LimitReachedException() {
            super("enough text");
        }
    }

    /** Returns the JSON of a value, or its first characters. */
    public static String of(JsonNode value, int maxLength) {
        var bounded = new BoundedJson(maxLength);
        try (var generator = JSON.createGenerator(bounded)) {
            JSON.writeTree(generator, value);
        } catch (LimitReachedException full) {
            return bounded.text.substring(0, maxLength);
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        return bounded.text.toString();
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
        if (text.length() > maxLength) {
            throw new LimitReachedException();
        }
        text.append(characters, offset, length);
        if (text.length() > maxLength) {
            throw new LimitReachedException();
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
