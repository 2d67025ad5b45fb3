package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Path in a rule: names separated by dots, quoted if necessary; {@code .} is the field itself, {@code @key} its name or key, {@code
 * @path} its path. After a name {@code ?} ends the path if the value is absent, {@code [KEY]} selects a map key, {@code [0]} an element,
 * {@code []} every element of a list and {@code {}} every entry of a map; {@code [*]} and {@code {*}} report these at the list or map,
 * <code>[&lt;N]</code> covers at most N elements. The prefix {@code NAME:} starts at the nearest definition of that name, {@code
 * old:} refers to the current state of the object.
 *
 * @param from definition at which the path starts, {@code ""} for the position of the rule
 * @param old whether the value is that of the current state
 */
record Path(String from, boolean old, List<Step> steps) {
    private static final String OLD = "old";

    sealed interface Step {
        record Name(String name, boolean key) implements Step {}

        record Element(int index) implements Step {}

        /** End of the path if the value is absent. */
        record IfPresent() implements Step {}

        /** All elements of a list or entries of a map, reported at themselves or at their parent. */
        record Each(int most, boolean entries, boolean here) implements Step {}

        record Where(boolean whole) implements Step {
            Field of(Field field) {
                return field.with(TextNode.valueOf(
                        whole ? field.path().toString() : field.path().name()));
            }
        }
    }

    static Path of(String text) {
        int colon = text.startsWith("\"") ? -1 : text.indexOf(':');
        String from = text.substring(0, Math.max(colon, 0));
        List<Step> steps = new ArrayList<>();
        int at = colon + 1;
        while (at < text.length()) {
            int end = end(text, at);
            boolean quoted = text.startsWith("\"", at);
            String name = text.substring(at, end).replace("\"", "");
            switch (quoted ? "\"" : name) {
                case "" -> {}
                case "\"" -> steps.add(new Step.Name(name, false));
                case "@key" -> steps.add(new Step.Where(false));
                case "@path" -> steps.add(new Step.Where(true));
                default -> steps.add(new Step.Name(name, false));
            }
            at = end;
            while (at < text.length() && text.charAt(at) != '.') {
                at = suffix(text, at, steps);
            }
            at++;
        }
        return new Path(from.equals(OLD) ? "" : from, from.equals(OLD), List.copyOf(steps));
    }

    private static int end(String text, int begin) {
        int end = text.startsWith("\"", begin) ? text.indexOf('"', begin + 1) + 1 : begin;
        while (end < text.length() && ".?[{".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Parses the suffix of a name, and returns its end. */
    private static int suffix(String text, int at, List<Step> steps) {
        if (text.charAt(at) == '?') {
            steps.add(new Step.IfPresent());
            return at + 1;
        }
        boolean entries = text.charAt(at) == '{';
        int end = text.indexOf(entries ? '}' : ']', at);
        String inside = text.substring(at + 1, end);
        switch (inside) {
            case "" -> steps.add(new Step.Each(Integer.MAX_VALUE, entries, false));
            case "*" -> steps.add(new Step.Each(Integer.MAX_VALUE, entries, true));
            default -> {
                steps.add(
                        inside.startsWith("<")
                                ? new Step.Each(Integer.parseInt(inside.substring(1)), entries, false)
                                : Character.isDigit(inside.charAt(0))
                                        ? new Step.Element(Integer.parseInt(inside))
                                        : new Step.Name(inside, true));
            }
        }
        return end + 1;
    }

    Field field(FieldPosition at) {
        Field field = begin(at);
        for (Step step : steps) {
            field = switch (step) {
                case Step.Name(String name, boolean key) -> key ? field.key(name) : field.at(name);
                case Step.Element(int index) -> field.element(index);
                case Step.Where where -> where.of(field);
                case Step.IfPresent() -> field;
                case Step.Each each -> throw new IllegalArgumentException("not one field: " + this);
            };
        }
        return field;
    }

    JsonNode value(FieldPosition at) {
        return field(at).value();
    }

    private Field begin(FieldPosition at) {
        Field field = from.isEmpty() ? at.field() : at.of(from).field();
        return old ? field.with(field.old()) : field;
    }

    void each(FieldPosition at, Check check) {
        walk(begin(at), at, 0, check);
    }

    private void walk(Field begin, FieldPosition at, int first, Check check) {
        Field field = begin;
        for (int i = first; i < steps.size(); i++) {
            switch (steps.get(i)) {
                case Step.Name(String name, boolean key) -> field = key ? field.key(name) : field.at(name);
                case Step.Element(int index) -> field = field.element(index);
                case Step.IfPresent() -> {
                    if (field.isMissing()) {
                        return;
                    }
                }
                case Step.Each each -> {
                    if (!field.value().isEmpty()) {
                        elements(field, at.list(field), each, i + 1, check);
                    }
                    return;
                }
                case Step.Where where -> field = where.of(field);
            }
        }
        check.check(field, at);
    }

    private void elements(Field list, FieldPosition at, Step.Each each, int next, Check check) {
        if (each.entries()) {
            for (Map.Entry<String, JsonNode> entry : list.value().properties()) {
                element(each.here() ? list.with(entry.getValue()) : list.key(entry.getKey()), at, next, check);
            }
            return;
        }
        int size = Math.min(list.value().size(), each.most());
        for (int i = 0; i < size; i++) {
            element(each.here() ? list.with(list.value().path(i)) : list.element(i), at, next, check);
        }
    }

    private void element(Field field, FieldPosition list, int next, Check check) {
        walk(field, list.at(field), next, check);
    }
}
