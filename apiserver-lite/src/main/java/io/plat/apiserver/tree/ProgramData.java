package io.plat.apiserver.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;

/** Resource files that ship with the program, beside the classes that read them. */
public final class ProgramData {
    private ProgramData() {}

    public static String text(Class<?> beside, String file) {
        return new String(bytes(beside, file), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Class<?> beside, String file) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read a resource of the program: " + file, e);
        }
    }

    /** Returns the lines of a file, without blank lines and comments that begin with {@code #}. */
    public static Stream<String> lines(Class<?> beside, String file) {
        return text(beside, file).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    /** Returns the JSON document in a file. */
    public static JsonNode json(Class<?> beside, String file) {
        try {
            return new JsonMapper(JsonFactories.create()).readTree(bytes(beside, file));
        } catch (IOException e) {
            throw new UncheckedIOException("could not read a resource of the program: " + file, e);
        }
    }
}
