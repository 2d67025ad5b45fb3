package io.plat.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Texts that are part of the program: the files in {@code io/plat/cli} among its resources. */
public final class ResourceText {
    private ResourceText() {}

    /** The text of a file. */
    public static String read(String name) {
        try (InputStream in = ResourceText.class.getResourceAsStream("/io/plat/cli/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
