package io.plat.apiserver.request;

import io.plat.review.SelectorAttributes.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a label selector: requirements separated by commas, each {@code key}, {@code !key}, {@code key=value},
 * {@code key==value}, {@code key!=value}, {@code key in (v,...)} or {@code key notin (v,...)}.
 */
final class LabelSelectorParser {
    private static final String DELIMITERS = "=!,()";
    private static final int END = -1;

    private final String text;
    private int position;

    LabelSelectorParser(String text) {
        this.text = text;
    }

    /** The requirements, or nothing where the text is malformed. */
    Optional<List<Requirement>> parse() {
        List<Requirement> requirements = new ArrayList<>();
        if (peek() == END) {
            return Optional.of(requirements);
        }
        do {
            Optional<Requirement> requirement = requirement();
            if (requirement.isEmpty()) {
                return Optional.empty();
            }
            requirements.add(requirement.get());
        } while (accept(","));
        return peek() == END ? Optional.of(requirements) : Optional.empty();
    }

    private Optional<Requirement> requirement() {
        if (accept("!")) {
            String key = word();
            return key.isEmpty() ? Optional.empty() : Optional.of(new Requirement(key, "DoesNotExist", List.of()));
        }
        String key = word();
        if (key.isEmpty()) {
            return Optional.empty();
        }
        if (accept("!=")) {
            return Optional.of(new Requirement(key, "NotIn", List.of(word())));
        }
        if (accept("==") || accept("=")) {
            return Optional.of(new Requirement(key, "In", List.of(word())));
        }
        return switch (peek()) {
            case END, ',' -> Optional.of(new Requirement(key, "Exists", List.of()));
            default -> set(key);
        };
    }

    private Optional<Requirement> set(String key) {
        String operator = switch (word()) {
            case "in" -> "In";
            case "notin" -> "NotIn";
            default -> "";
        };
        if (operator.isEmpty() || !accept("(")) {
            return Optional.empty();
        }
        List<String> values = new ArrayList<>();
        do {
            values.add(word());
        } while (accept(","));
        return accept(")") ? Optional.of(new Requirement(key, operator, values)) : Optional.empty();
    }

    private String word() {
        skipSpace();
        int start = position;
        while (position < text.length()
                && DELIMITERS.indexOf(text.charAt(position)) < 0
                && !Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        return text.substring(start, position);
    }

    private boolean accept(String token) {
        skipSpace();
        if (!text.startsWith(token, position)) {
            return false;
        }
        position += token.length();
        return true;
    }

    private int peek() {
        skipSpace();
        return position < text.length() ? text.charAt(position) : END;
    }

    private void skipSpace() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }
}
