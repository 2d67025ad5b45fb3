package io.plat.apiserver.rules;

/** Named list of rules, for a type or part of types. Named before its rows are compiled, since rows refer to each other. */
final class Definition {
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
