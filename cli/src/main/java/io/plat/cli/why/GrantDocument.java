package io.plat.cli.why;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.SourceObject;
import io.plat.cli.process.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An explanation or a listing for programs: the source of a grant as an object, its binding and role apart, and its rule as the object that it
 * is. A server has them as text.
 */
final class GrantDocument {
    private GrantDocument() {}

    static byte[] structured(byte[] response) {
        try {
            return JsonAnswer.of(walk(JsonDocument.read(response)));
        } catch (IOException e) {
            throw CommandException.io("the answer is not a JSON document", e);
        }
    }

    private static @Nullable Object walk(@Nullable Object value) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(item -> items.add(walk(item)));
            return items;
        }
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        boolean grant = map.get("source") instanceof String && map.get("rule") instanceof String;
        map.forEach((name, member) -> {
            switch (grant ? String.valueOf(name) : "") {
                case "source" -> members.putAll(source(String.valueOf(member)));
                case "rule" -> members.put("rule", rule(String.valueOf(member)));
                default -> members.put(String.valueOf(name), walk(member));
            }
        });
        return members;
    }

    /** Returns the members {@code source}, {@code binding} and {@code role}, and {@code file} and {@code line} of the rule. */
    private static Map<String, Object> source(String text) {
        String[] parts = text.split(" -> ", 2);
        Map<String, Object> source = SourceObject.of(parts[0]);
        Map<String, Object> rule = parts.length > 1 ? SourceObject.of(parts[1]) : source;
        return JsonAnswer.object(
                "source", source,
                "binding", parts.length > 1 ? source : null,
                "role", parts.length > 1 ? rule : null,
                "file", rule.get("file"),
                "line", rule.get("line"));
    }

    /** Returns a rule; of one that is no JSON, or was shortened, its text in an object. */
    private static Object rule(String text) {
        try {
            if (JsonDocument.read(text.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> rule) {
                return rule;
            }
        } catch (IOException shortened) {
            // As text.
        }
        return JsonAnswer.object("text", text);
    }
}
