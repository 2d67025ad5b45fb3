package io.plat.apiserver.storage.etcd;

/** Observer of the requests of a client. Thread-safe; must return immediately and not throw. */
@FunctionalInterface
public interface RequestObserver {
    RequestObserver NONE = (operation, key, nanos, failed) -> {};

    /**
     * Notifies of a completed request.
     *
     * @param operation kind of request, such as {@code get}
     * @param key requested or changed key; {@code ""} for a request that spans keys
     * @param nanos duration in nanoseconds, including retries at other members
     */
    void completed(String operation, String key, long nanos, boolean failed);
}
