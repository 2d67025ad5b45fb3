package io.plat.apiserver.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiler of rule rows, run once at startup. No rule text is parsed when an object is checked. */
final class RuleCompiler {
    private final Map<String, Definition> definitions;

    /**
     * Creates a compiler.
     *
     * @param definitions definitions to which rows may refer; their rows need not be compiled yet
     */
    RuleCompiler(Map<String, Definition> definitions) {
        this.definitions = definitions;
    }

    /**
     * Compiled row.
     *
     * @param otherwise whether it is skipped if the previous row found an error, or its condition held
     * @param condition condition of an {@code if} row; null for any other row
     */
    private record Row(boolean otherwise, @Nullable Condition condition, Check check) {}

    /**
     * Compiles sibling rows.
     *
     * @throws IllegalArgumentException for a malformed row
     */
    Check rows(List<RuleText.Line> lines) {
        Row[] rows = lines.stream().map(this::row).toArray(Row[]::new);
        return (field, at) -> {
            boolean taken = false;
            for (Row row : rows) {
                if (taken && row.otherwise()) {
                    continue;
                }
                Condition condition = row.condition();
                int found = field.causes().found();
                if (condition == null) {
                    row.check().check(field, at);
                    taken = field.causes().found() > found;
                } else {
                    taken = condition.holds(at);
                    if (taken) {
                        row.check().check(field, at);
                    }
                }
            }
        };
    }

    private Row row(RuleText.Line line) {
        List<String> words = line.words();
        boolean otherwise = words.getFirst().equals("else");
        List<String> rest = otherwise ? words.subList(1, words.size()) : words;
        try {
            if (rest.isEmpty()) {
                return new Row(true, at -> true, rows(line.below()));
            }
            if (rest.getFirst().equals("if")) {
                return new Row(otherwise, Condition.of(rest.subList(1, rest.size())), rows(line.below()));
            }
            return new Row(otherwise, null, check(new ArrayList<>(rest), line));
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
            // Most defaults have been set before, and to see that costs less than most conditions.
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
            int found = field.causes().found();
            first.check(field, at);
            if (field.causes().found() == found) {
                others.check(field, at.at(field));
            }
        };
    }

    /** Returns a check of the fields at paths, optionally reported at another path. */
    private static Check at(List<Path> paths, @Nullable Path other, Check check) {
        if (other != null) {
            return (field, at) -> {
                Field place = other.field(at);
                Check placed = (one, inner) -> {
                    int found = one.causes().found();
                    check.check(one.placed(place.path()), inner);
                    if (one.causes().found() > found) {
                        one.causes()
                                .alsoMention(place.path().toString(), one.path().toString());
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
        private final String name;
        private Check rows = Check.NONE;

        Definition(String name) {
            this.name = name;
        }

        /** Sets the compiled rows. */
        void rows(Check compiled) {
            rows = compiled;
        }

        /** Checks a field by the rules of the definition. */
        void check(Field field, Scope at) {
            rows.check(field, at.at(field, name));
        }

        /** Checks a whole object. */
        void check(Field object) {
            rows.check(object, Scope.of(object, name));
        }
    }
}
