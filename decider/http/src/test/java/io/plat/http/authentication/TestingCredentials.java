package io.plat.http.authentication;

import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;

/** Credentials of a test: a certificate chain and the values of the Authorization header. */
public record TestingCredentials(List<X509Certificate> certificates, List<String> authorization)
        implements Credentials {
    /** No credentials. */
    public static final TestingCredentials NONE = new TestingCredentials(List.of(), List.of());

    /** Authorization headers only. */
    public static TestingCredentials authorization(String... values) {
        return new TestingCredentials(List.of(), List.of(values));
    }

    /** A bearer token. */
    public static TestingCredentials token(String token) {
        return authorization("Bearer " + token);
    }

    /** A client certificate. */
    public static TestingCredentials certificate(List<X509Certificate> chain) {
        return new TestingCredentials(chain, List.of());
    }

    @Override
    public Collection<String> headerNames() {
        return authorization.isEmpty() ? List.of() : List.of("Authorization");
    }

    @Override
    public List<String> headers(String name) {
        return name.equalsIgnoreCase("Authorization") ? authorization : List.of();
    }
}
