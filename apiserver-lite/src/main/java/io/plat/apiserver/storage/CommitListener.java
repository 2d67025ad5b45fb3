package io.plat.apiserver.storage;

/** Listener for durable changes, called from a thread of the store; must return immediately and not throw. */
@FunctionalInterface
public interface CommitListener {
    CommitListener NONE = (changes, nanos) -> {};

    /**
     * Notifies that changes became durable together.
     *
     * @param changes number of changes, at least 1
     * @param nanos duration in nanoseconds
     */
    void committed(int changes, long nanos);
}
