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

/** Resource files that ship with the program, next to the classes that read them. */
public final class ProgramData {
    private ProgramData() {}

    public static String text(Class<?> owner, String file) {
        return new String(bytes(owner, file), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Class<?> owner, String file) {
        try (InputStream in = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read a resource of the program: " + file, e);
        }
    }

    /** Returns the lines of a file, without blank lines and comments that begin with {@code #}. */
    public static Stream<String> lines(Class<?> owner, String file) {
        return text(owner, file).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    public static JsonNode json(Class<?> owner, String file) {
        try {
            return new JsonMapper(JsonFactories.create()).readTree(bytes(owner, file));
        } catch (IOException e) {
            throw new UncheckedIOException("could not read a resource of the program: " + file, e);
        }
    }
}
