package io.plat.engine.webhook;

import java.util.Set;

/** Hears by which revisions the deciders behind one name decide. Called by one thread at a time; must return at once. */
interface PolicyNews {
    /** Nobody listens. */
    PolicyNews UNHEARD = new PolicyNews() {};

    /**
     * The deciders decide by these now. What was decided by any other one is out of date.
     *
     * @return whether anything may have been decided by another one before
     */
    default boolean told(Set<String> revisions) {
        return false;
    }

    /** Nobody tells revisions any more, until the next ones are told. */
    default void untold() {}

    /** A decider that does not tell its revisions at present decides by another policy than it did: whatever was decided may be out of date. */
    default void changed() {}
}
