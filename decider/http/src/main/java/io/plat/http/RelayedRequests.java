package io.plat.http;

/** A handler of requests that a proxy relays, whose header fields are those of its client: their {@code Origin} is no page that uses this server. */
public interface RelayedRequests {
    /** Returns whether requests for a path, as sent, are relayed. */
    boolean relays(String path);
}
