package io.plat.apiserver.storage;

/** The answer to the question for a snapshot at a revision. */
public sealed interface Lookup {
    /** Here it is. */
    record Found(Snapshot snapshot) implements Lookup {}

    /**
     * Its history is no longer kept.
     *
     * @param oldest the oldest revision that can be read
     */
    record Gone(long oldest) implements Lookup {}

    /**
     * Nothing has been written under it yet.
     *
     * @param current the newest revision
     */
    record Future(long current) implements Lookup {}
}
