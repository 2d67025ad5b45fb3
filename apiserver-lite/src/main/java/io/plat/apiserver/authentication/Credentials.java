package io.plat.apiserver.authentication;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** What a request brings along to prove who sends it. */
public interface Credentials {
    /** The chain presented in the handshake, the client's own certificate first; empty where there was none. Not verified yet. */
    List<X509Certificate> certificates();

    /** The values of a header field, in the order received; names are compared without case. */
    List<String> headers(String name);

    /** The names of all header fields, as sent. */
    Collection<String> headerNames();
}
