package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Text of a rule in which <code>${PATH}</code> is replaced by the string at a path, escaped between double quotes. */
final class Template {
    private static final String BEGIN = "${";

    private final List<Function<FieldPosition, String>> parts = new ArrayList<>();
    private final String text;

    Template(String text) {
        this.text = text;
        int at = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, at)) {
            String before = text.substring(at, begin);
            int end = text.indexOf('}', begin);
            Path path = Path.of(text.substring(begin + BEGIN.length(), end));
            add(before);
            boolean quoted = text.chars().limit(begin).filter(c -> c == '"').count() % 2 == 1;
            parts.add(position -> text(path.value(position), quoted));
            at = end + 1;
        }
        add(text.substring(at));
    }

    private void add(String constant) {
        if (!constant.isEmpty()) {
            parts.add(any -> constant);
        }
    }

    private static String text(JsonNode value, boolean quoted) {
        String text = value.isContainerNode() ? value.toString() : value.asText("");
        String escaped = quoted ? FieldErrorMessages.quoted(text) : "";
        return quoted ? escaped.substring(1, escaped.length() - 1) : text;
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    String at(FieldPosition position) {
        if (parts.size() == 1) {
            return parts.getFirst().apply(position);
        }
        var written = new StringBuilder();
        parts.forEach(part -> written.append(part.apply(position)));
        return written.toString();
    }
}
