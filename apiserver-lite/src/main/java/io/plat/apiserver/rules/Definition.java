package io.plat.apiserver.rules;

/** A named list of rules: those of a type, or of a part of types. It is named before its rows are compiled, as rows name each other. */
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

    /** Checks a field of which the definition has the rules. */
    void check(Field field, Scope at) {
        rows.check(field, at.at(field, name));
    }

    /** Checks a whole object. */
    void check(Field object) {
        rows.check(object, Scope.of(object, name));
    }
}
