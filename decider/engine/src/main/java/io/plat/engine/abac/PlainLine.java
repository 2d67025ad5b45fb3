package io.plat.engine.abac;

import io.plat.review.source.ByteWords;
import io.plat.review.source.Location;
import io.plat.review.source.PlainJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a line of the versioned form that is written as programs write it, in a fraction of the time that a tree of it takes. Any other
 * line is left to {@link AbacLineReader}, which says what is wrong with it. For one thread.
 */
final class PlainLine {
    private final ByteWords words = new ByteWords();

    /** The line, or null where it is not of this kind. */
    @Nullable
    AbacLine read(Location where, String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        PlainJson json = new PlainJson(bytes, words);
        Map<String, String> top = new HashMap<>();
        Map<String, String> spec = new HashMap<>();
        boolean read = json.next() == '{'
                && json.members((name, first) -> switch (name) {
                    case "apiVersion", "kind" -> first == PlainJson.STRING && top.put(name, json.text()) == null;
                    case "spec" -> first == '{' && top.put(name, "") == null && spec(json, spec);
                    default -> false;
                })
                && json.next() == PlainJson.END
                && AbacLineReader.isPolicy(top.getOrDefault("apiVersion", ""), top.getOrDefault("kind", ""))
                && top.containsKey("spec");
        if (!read) {
            return null;
        }
        return new AbacLine(
                where,
                line,
                spec.getOrDefault("user", ""),
                spec.getOrDefault("group", ""),
                spec.getOrDefault("readonly", "").equals("true"),
                spec.getOrDefault("apiGroup", ""),
                spec.getOrDefault("namespace", ""),
                spec.getOrDefault("resource", ""),
                spec.getOrDefault("nonResourcePath", ""));
    }

    private static boolean spec(PlainJson json, Map<String, String> spec) {
        return json.members((name, first) -> switch (name) {
            case "user", "group", "apiGroup", "namespace", "resource", "nonResourcePath" ->
                first == PlainJson.STRING && spec.put(name, json.text()) == null;
            case "readonly" ->
                first == PlainJson.LITERAL
                        && (json.text().equals("true") || json.text().equals("false"))
                        && spec.put(name, json.text()) == null;
            default -> false;
        });
    }
}
