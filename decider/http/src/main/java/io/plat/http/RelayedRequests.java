package io.plat.http;

/** A step with requests that a proxy relays: an {@code Origin} in them is that of the proxy's client, and not of a page that uses this server. */
public interface RelayedRequests {
    /** Returns whether requests for a path, as it was sent, are relayed. */
    boolean relays(String path);
}
