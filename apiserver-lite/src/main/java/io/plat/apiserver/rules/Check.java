package io.plat.apiserver.rules;

/** Compiled rule for one field. Immutable. */
@FunctionalInterface
interface Check {
    Check NONE = (field, at) -> {};

    /**
     * Checks a field and reports errors.
     *
     * @param at position of the rule, to which its paths are relative
     */
    void check(Field field, FieldPosition at);
}
