package io.plat.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Text resources of the program in {@code io/plat/cli}. */
public final class ResourceText {
    private ResourceText() {}

    public static String read(String name) {
        try (InputStream in = ResourceText.class.getResourceAsStream("/io/plat/cli/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
