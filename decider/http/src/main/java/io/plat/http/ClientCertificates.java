package io.plat.http;

/** What a server asks of its clients during the TLS handshake. */
public enum ClientCertificates {
    /** A client without an accepted certificate gets a TLS alert and no byte of HTTP. */
    REQUIRED,
    /** A certificate is asked for; who comes without one is served, and judged by the application. */
    REQUESTED
}
