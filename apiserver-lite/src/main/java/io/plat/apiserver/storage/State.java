package io.plat.apiserver.storage;

/**
 * What readers see: everything durable up to one revision. Published through one reference.
 *
 * @param revision the newest revision, which may have changed nothing
 * @param tree the objects
 * @param history the changes that led to it
 */
public record State(long revision, Tree tree, History history) {
    /** Returns the oldest revision that can be read, and watched from. */
    public long floor() {
        return history.floor();
    }
}
