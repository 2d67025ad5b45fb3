package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A path of a rule: names with dots between them, quoted where they are none; {@code .} is the field itself, {@code @key} the name or
 * key under which it stands, {@code @path} its path. After a name {@code ?} ends the path where there is nothing, {@code [KEY]}
 * follows a key as messages write it, {@code [0]} an element, {@code []} every element of a list and {@code {}} every entry of a map;
 * {@code [*]} and {@code {*}} report these at the list or map, <code>[&lt;N]</code> goes no further than N elements.
 * {@code NAME:} before a path begins at the nearest definition of that name, {@code old:} at the present state of the object.
 *
 * @param from the definition at which the path begins, {@code ""} for where the rule stands
 * @param old whether the value is that of the present state
 */
record Path(String from, boolean old, List<Step> steps) {
    private static final String OLD = "old";

    /** A step of a path. */
    sealed interface Step {
        /** A member, or the entry of a key. */
        record Name(String name, boolean key) implements Step {}

        /** One element of a list. */
        record Element(int index) implements Step {}

        /** The end where there is nothing. */
        record IfPresent() implements Step {}

        /** The elements of a list or the entries of a map, reported at themselves or at what has them. */
        record Each(int most, boolean entries, boolean here) implements Step {}

        /** The name or the path of what stands here. */
        record Where(boolean whole) implements Step {
            Field of(Field field) {
                return field.with(TextNode.valueOf(
                        whole ? field.path().toString() : field.path().name()));
            }
        }
    }

    /** Reads a path. */
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

    /** Reads what stands after a name, and returns where it ends. */
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

    /** Returns the one field that the path leads to. */
    Field field(Scope at) {
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

    private Field begin(Scope at) {
        Field field = from.isEmpty() ? at.field() : at.of(from).field();
        return old ? field.with(field.old()) : field;
    }

    /** Applies a check to every field that the path leads to. */
    void each(Scope at, Check check) {
        walk(begin(at), at, 0, check);
    }

    private void walk(Field begin, Scope at, int first, Check check) {
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

    private void elements(Field list, Scope at, Step.Each each, int next, Check check) {
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

    private void element(Field field, Scope list, int next, Check check) {
        walk(field, list.at(field), next, check);
    }
}
