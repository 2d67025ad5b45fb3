package io.plat.apiserver.storage;

/** Result of requesting a snapshot at a revision. */
public sealed interface Lookup {
    record Found(Snapshot snapshot) implements Lookup {}

    /** Compacted revision. */
    record Gone(long oldest) implements Lookup {}

    /** Revision that does not exist yet. */
    record Future(long current) implements Lookup {}
}
