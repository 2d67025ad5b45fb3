package io.plat.apiserver.storage;

/** Hears of every synchronisation of the disk, from the thread that writes; must return at once and not throw. */
@FunctionalInterface
public interface CommitListener {
    /** Nobody listens. */
    CommitListener NONE = (changes, nanos) -> {};

    /**
     * Changes became durable together.
     *
     * @param changes how many, at least 1
     * @param nanos how long that took, in nanoseconds
     */
    void committed(int changes, long nanos);
}
