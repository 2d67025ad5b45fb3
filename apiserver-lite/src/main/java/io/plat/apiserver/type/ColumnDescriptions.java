package io.plat.apiserver.type;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What the columns of tables show, as sentences: from {@code column-descriptions.txt}, by resource and name or by name alone. */
final class ColumnDescriptions {
    private static final String FILE = "column-descriptions.txt";

    private final Map<String, String> byName = new HashMap<>();

    private ColumnDescriptions(String text) {
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int colon = line.indexOf(": ");
            byName.put(line.substring(0, colon), line.substring(colon + 2));
        });
    }

    static ColumnDescriptions read() {
        try (InputStream in = Objects.requireNonNull(ColumnDescriptions.class.getResourceAsStream(FILE), FILE)) {
            return new ColumnDescriptions(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own descriptions can't be read", e);
        }
    }

    /** The sentence for a column; {@code ""} where there is none. */
    String of(String resource, String column) {
        String own = byName.get(resource + "/" + column);
        return own != null ? own : byName.getOrDefault(column, "");
    }
}
