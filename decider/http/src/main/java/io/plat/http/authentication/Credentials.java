package io.plat.http.authentication;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Credentials of a request. */
public interface Credentials {
    /** Returns the chain presented in the handshake, the client's own certificate first; empty without one. Not verified yet. */
    List<X509Certificate> certificates();

    /** Returns the values of a header field in order of receipt; names are case-insensitive. */
    List<String> headers(String name);

    /** Returns the names of all header fields, as sent. */
    Collection<String> headerNames();
}
