package io.plat.apiserver.rules;

/** A compiled rule about one field. Immutable. */
@FunctionalInterface
interface Check {
    /** A check that finds nothing. */
    Check NONE = (field, at) -> {};

    /**
     * Reports what is wrong with a field.
     *
     * @param at the position of the rule, from which its paths lead
     */
    void check(Field field, Scope at);
}
