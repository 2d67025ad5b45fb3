package io.plat.engine.abac;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.engine.lookup.Interner;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Location;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fast streaming reader of lines in the versioned form. Any line with a problem is left to {@link AbacLineReader}, which reports it. Not thread-safe.
 */
final class PlainLine {
    private static final JsonFactory JSON = JsonFactories.create();
    private static final Set<String> TOP = Set.of("apiVersion", "kind");
    private static final Set<String> SPEC =
            Set.of("user", "group", "apiGroup", "namespace", "resource", "nonResourcePath");

    private final Interner interned = new Interner();

    /** Returns the line, or null if it has another form or a problem. */
    @Nullable
    AbacLine read(Location where, String line) {
        Map<String, String> top = new HashMap<>();
        Map<String, String> spec = new HashMap<>();
        try (JsonParser json = JSON.createParser(line)) {
            boolean read = json.nextToken() == JsonToken.START_OBJECT
                    && members(json, TOP, top, spec)
                    && json.nextToken() == null;
            if (!read || !AbacLineReader.isPolicy(top.getOrDefault("apiVersion", ""), top.getOrDefault("kind", ""))) {
                return null;
            }
        } catch (IOException _) {
            return null;
        }
        return !top.containsKey("spec")
                ? null
                : new AbacLine(
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

    /** Reads the members of an object; returns false for one that is unknown, duplicate or of another type. */
    private boolean members(JsonParser json, Set<String> strings, Map<String, String> read, Map<String, String> spec)
            throws IOException {
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            boolean inSpec = read == spec;
            boolean known = strings.contains(name)
                    ? value == JsonToken.VALUE_STRING
                    : inSpec
                            ? name.equals("readonly") && value.isBoolean()
                            : name.equals("spec") && value == JsonToken.START_OBJECT;
            if (!known || read.put(name, interned.string(json.getText())) != null) {
                return false;
            }
            if (value == JsonToken.START_OBJECT && !members(json, SPEC, spec, spec)) {
                return false;
            }
        }
        return json.currentToken() == JsonToken.END_OBJECT;
    }
}
