package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiler of rule rows, run once at startup. No rule text is parsed when an object is checked.
 *
 * @param definitions definitions to which rows may refer; their rows need not be compiled yet
 */
record RuleCompiler(Map<String, Definition> definitions) {
    /**
     * Compiled row.
     *
     * @param when "else" if it is skipped if the previous row found an error, or its condition held; "then" if it is skipped otherwise;
     *     empty for any other row
     * @param condition condition of an {@code if} row; null for any other row
     */
    record Row(String when, @Nullable Condition condition, Check check) {}

    /**
     * Compiles sibling rows.
     *
     * @throws IllegalArgumentException for a malformed row
     */
    Check rows(List<RuleText.Line> lines) {
        Row[] rows = lines.stream().map(this::row).toArray(Row[]::new);
        return (field, at) -> {
            boolean matched = false;
            for (int i = 0; i < rows.length; i++) {
                Row row = rows[i];
                if (row.when().equals(matched ? "else" : "then")) {
                    continue;
                }
                Condition condition = row.condition();
                int before = field.causes().found();
                if (condition == null) {
                    row.check().check(field, at);
                    matched = field.causes().found() > before;
                } else {
                    matched = condition.holds(at);
                    if (matched) {
                        row.check().check(field, at);
                    }
                }
            }
        };
    }

    Row row(RuleText.Line line) {
        List<String> words = line.words();
        String when = words.getFirst().matches("else|then") ? words.getFirst() : "";
        List<String> rest = when.isEmpty() ? words : words.subList(1, words.size());
        try {
            if (rest.isEmpty()) {
                return new Row(when, at -> true, rows(line.below()));
            }
            if (rest.getFirst().equals("if")) {
                return new Row(when, Condition.of(rest.subList(1, rest.size())), rows(line.below()));
            }
            return new Row(when, null, check(new ArrayList<>(rest), line));
        } catch (RuntimeException malformed) {
            throw new IllegalArgumentException("malformed rule: " + String.join(" ", words), malformed);
        }
    }

    /** Compiles {@code PATHS [as PATH] [CHECK [ARGUMENTS]] [if CONDITION]} with its nested rows. */
    private Check check(List<String> words, RuleText.Line line) {
        List<Path> paths = new ArrayList<>();
        while (words.getFirst().endsWith(",")) {
            String word = words.removeFirst();
            paths.add(Path.of(word.substring(0, word.length() - 1)));
        }
        paths.add(Path.of(words.removeFirst()));
        Path other = null;
        if (!words.isEmpty() && words.getFirst().equals("as")) {
            other = Path.of(words.get(1));
            words.subList(0, 2).clear();
        }
        int when = words.indexOf("if");
        List<String> call = when < 0 ? words : words.subList(0, when);
        if (!call.isEmpty() && FieldAssignment.is(call.getFirst())) {
            Path path = paths.getFirst();
            Check set = when(words, when, FieldAssignment.of(path, call.getFirst(), call.getLast()));
            // Most defaults are set already, and checking that costs less than most conditions.
            return call.getFirst().equals("default") ? ifAbsent(path, set) : set;
        }
        Check named =
                call.isEmpty() ? Check.NONE : named(call.getFirst(), call.subList(1, call.size()), line.message());
        Check check = line.below().isEmpty() ? named : then(named, rows(line.below()));
        return when(words, when, at(paths, other, check));
    }

    /** Applies the condition that starts at a word to a check; none if the index is negative. */
    private static Check when(List<String> words, int begin, Check check) {
        if (begin < 0) {
            return check;
        }
        Condition condition = Condition.of(words.subList(begin + 1, words.size()));
        return (field, at) -> {
            if (condition.holds(at)) {
                check.check(field, at);
            }
        };
    }

    private static Check ifAbsent(Path path, Check check) {
        return (field, at) -> {
            if (path.value(at).isMissingNode()) {
                check.check(field, at);
            }
        };
    }

    private Check named(String name, List<String> arguments, String message) {
        if (Character.isUpperCase(name.charAt(0))) {
            Definition definition = definitions.get(name);
            if (definition == null) {
                throw new IllegalArgumentException("unknown definition: " + name);
            }
            return definition::check;
        }
        if (!name.endsWith("?") && !name.endsWith("!")) {
            return Checks.of(name, arguments, message);
        }
        Check check = Checks.of(name.substring(0, name.length() - 1), arguments, message);
        boolean required = name.endsWith("!");
        return (field, at) -> {
            if (required ? field.require("") : !field.isEmpty()) {
                check.check(field, at);
            }
        };
    }

    /** Combines a check with nested checks, which run if it finds no error. */
    private static Check then(Check first, Check others) {
        return (field, at) -> {
            int before = field.causes().found();
            first.check(field, at);
            if (field.causes().found() == before) {
                others.check(field, at.at(field));
            }
        };
    }

    /** Returns a check of the fields at paths, optionally reported at another path. */
    private static Check at(List<Path> paths, @Nullable Path other, Check check) {
        if (other != null) {
            return (field, at) -> {
                Field reported = other.field(at);
                Check placed = (one, inner) -> {
                    int before = one.causes().found();
                    check.check(one.reportedAt(reported.path()), inner);
                    if (one.causes().found() > before) {
                        one.causes()
                                .alsoMention(
                                        reported.path().toString(), one.path().toString());
                    }
                };
                paths.forEach(path -> path.each(at, placed));
            };
        }
        if (paths.size() == 1) {
            Path path = paths.getFirst();
            return (field, at) -> path.each(at, check);
        }
        return (field, at) -> paths.forEach(path -> path.each(at, check));
    }

    /** Named list of rules, for a type or part of types. Named before its rows are compiled, since rows refer to each other. */
    static final class Definition {
        private static final Set<String> METADATA = Set.of("metadata");

        private final String name;
        private Check rows = Check.NONE;
        private boolean ofMetadata;

        Definition(String name) {
            this.name = name;
        }

        /** @param metadata whether rows apply although nothing but metadata has changed */
        void rows(Check compiled, boolean metadata) {
            rows = compiled;
            ofMetadata = metadata;
        }

        void check(Field field, FieldPosition at) {
            rows.check(field, at.at(field, name));
        }

        void check(Field object) {
            if (ofMetadata || !Json.equalExcept(METADATA, object.value(), object.old())) {
                rows.check(object, FieldPosition.of(object, name));
            }
        }
    }

    /**
     * Rows that set fields: {@code default} sets an absent one, {@code set} any, {@code defaults} the absent members of one; {@code drop}
     * removes one. The value is JSON without spaces, or a copy of the value at <code>${PATH}</code>; if that is absent, nothing is set.
     * Parent objects are created.
     */
    private static final class FieldAssignment {
        private static final Set<String> NAMES = Set.of("default", "set", "defaults", "drop");

        private final List<Path.Step> steps;
        private final @Nullable Path from;
        private final JsonNode value;

        private FieldAssignment(Path to, String value) {
            this.steps = to.steps();
            this.from = value.startsWith("${") ? Path.of(value.substring(2, value.length() - 1)) : null;
            this.value = from == null ? Json.valueOf(value) : MissingNode.getInstance();
        }

        static boolean is(String name) {
            return NAMES.contains(name);
        }

        static Check of(Path to, String name, String value) {
            if (name.equals("drop")) {
                return new FieldAssignment(to, "null")::drop;
            }
            var fill = new FieldAssignment(to, value);
            return switch (name) {
                case "default" -> (field, at) -> fill.set(at, fill.value(at), false);
                case "set" -> (field, at) -> fill.set(at, fill.value(at), true);
                default ->
                    (field, at) -> fill.value(at).properties().forEach(member -> {
                        if (fill.parent(at, steps(to)) instanceof ObjectNode object && !object.has(member.getKey())) {
                            object.set(member.getKey(), member.getValue());
                        }
                    });
            };
        }

        private static int steps(Path to) {
            return to.steps().size();
        }

        private JsonNode value(FieldPosition at) {
            return from == null ? value : from.field(at).value();
        }

        private void set(FieldPosition at, JsonNode desired, boolean always) {
            if (!desired.isMissingNode()
                    && parent(at, steps.size() - 1) instanceof ObjectNode object
                    && (always || !object.has(name(steps.size() - 1)))) {
                object.set(name(steps.size() - 1), desired.deepCopy());
            }
        }

        private void drop(Field field, FieldPosition at) {
            JsonNode node = at.field().value();
            for (int i = 0; i < steps.size() - 1; i++) {
                node = node.path(name(i));
            }
            if (node instanceof ObjectNode object) {
                object.remove(name(steps.size() - 1));
            }
        }

        /** Returns the value at the first steps; absent and null objects are created. */
        private JsonNode parent(FieldPosition at, int count) {
            JsonNode node = at.field().value();
            for (int i = 0; i < count && node instanceof ObjectNode object; i++) {
                JsonNode next = object.path(name(i));
                node = next.isMissingNode() || next.isNull() ? object.putObject(name(i)) : next;
            }
            return node;
        }

        private String name(int step) {
            return ((Path.Step.Name) steps.get(step)).name();
        }
    }
}
