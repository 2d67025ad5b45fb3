package io.plat.http;

/** A handler of requests that a proxy relays, whose {@code Origin} is that of the proxy's client and not of a page that uses this server. */
public interface RelayedRequests {
    /** Returns whether requests for a path, as sent, are relayed. */
    boolean relays(String path);
}
