package io.plat.cli.why;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.process.CommandException;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An explanation or a listing for programs: the source of a grant as an object, its binding and role apart, and its rule as the object that it
 * is. A server has them as text.
 */
final class GrantDocument {
    /** The decider that a server got a grant from. */
    private static final String REMOTE = "(?:https://\\S+: )?";

    private static final Pattern OBJECT =
            Pattern.compile(REMOTE + "(?:\\w+ )?((?:Cluster)?Role(?:Binding)?)/(.+?)(?: \\((.+):([0-9]+)\\))?");
    private static final Pattern LINE = Pattern.compile(REMOTE + "(?:ABAC )?(.+):([0-9]+)");

    private GrantDocument() {}

    /** Returns a response with its grants as objects. */
    static byte[] structured(byte[] response) {
        try {
            return JsonAnswer.of(walk(parse(response)));
        } catch (IOException e) {
            throw CommandException.io("the answer is not a JSON document", e);
        }
    }

    private static @Nullable Object parse(byte[] json) throws IOException {
        try (JsonParser parser = JsonFactories.create().createParser(json)) {
            parser.nextToken();
            return JsonDocument.value(parser);
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
        Matcher binding = OBJECT.matcher(parts[0]);
        Matcher role = OBJECT.matcher(parts.length > 1 ? parts[1] : "");
        if (binding.matches() && role.matches()) {
            return JsonAnswer.object(
                    "source", object(binding, false),
                    "binding", object(binding, true),
                    "role", object(role, true),
                    "file", role.group(3),
                    "line", number(role.group(4)));
        }
        Matcher line = LINE.matcher(text);
        return line.matches()
                ? JsonAnswer.object(
                        "source", JsonAnswer.object("file", line.group(1), "line", number(line.group(2))),
                        "file", line.group(1),
                        "line", number(line.group(2)))
                : JsonAnswer.object("source", JsonAnswer.object("name", text));
    }

    private static Object object(Matcher object, boolean withPlace) {
        String kind = object.group(1);
        String[] name = object.group(2).split("/", kind.startsWith("Cluster") ? 1 : 2);
        return JsonAnswer.object(
                "kind", kind,
                "namespace", name.length > 1 ? name[0] : null,
                "name", name[name.length - 1],
                "file", withPlace ? object.group(3) : null,
                "line", withPlace ? number(object.group(4)) : null);
    }

    private static @Nullable Long number(@Nullable String digits) {
        return digits == null ? null : Long.valueOf(digits);
    }

    /** Returns a rule; of one that is no JSON, or was shortened, its text in an object. */
    private static Object rule(String text) {
        try {
            if (parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Map<?, ?> rule) {
                return rule;
            }
        } catch (IOException shortened) {
            return JsonAnswer.object("text", text);
        }
        return JsonAnswer.object("text", text);
    }
}
