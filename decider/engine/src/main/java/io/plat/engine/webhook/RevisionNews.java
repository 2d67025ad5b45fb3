package io.plat.engine.webhook;

/** Hears the revisions of a decider's policy, in their order, from one thread at a time. Must return at once. */
interface RevisionNews {
    /** The decider decides by this revision now. */
    void told(String revision);

    /** Nobody tells revisions any more, until the next one is told. */
    void untold();

    /** An attempt to hear them has failed; another one follows. */
    default void unavailable() {}
}
