package io.plat.apiserver.storage;

/**
 * State visible to readers: everything durable up to one revision. Published through one reference.
 *
 * @param revision newest revision, which may have changed nothing
 */
public record StoreState(long revision, Tree tree, History history) {
    /** Returns the oldest revision that can be read and watched from. */
    public long floor() {
        return history.floor();
    }
}
