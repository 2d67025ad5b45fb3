package io.plat.http.authentication;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Credentials of a request; by default it has none. */
public interface Credentials {
    /** Returns the chain presented in the handshake, the client's own certificate first; empty without one. Not verified yet. */
    default List<X509Certificate> certificates() {
        return List.of();
    }

    /** Returns the values of a header field in order of receipt; names are case-insensitive. */
    default List<String> headers(String name) {
        return List.of();
    }

    /** Returns the names of all header fields, as sent. */
    default Collection<String> headerNames() {
        return List.of();
    }
}
