/**
 * TLS contexts for servers and clients, from files that may change at run time.
 *
 * <p>TLS 1.2 and 1.3 only; forward secrecy and authenticated encryption only; a server is identified by its subject alternative names; new
 * material is used as a whole or not at all, and the last valid one remains in use. When material changes, a context starts with fresh session
 * caches and ticket keys, so that no session made under an older trust bundle is ever resumed. A session of one bundle may be resumed for ten
 * minutes without another verification of the client's certificate; callers that must notice within a session or connection that a certificate
 * expired or a bundle changed use {@link io.plat.tls.x509.CertificateVerifier}.
 *
 * <p>The protocol itself is the JDK's (JSSE). Depends on {@code io.plat.tls.x509}, {@code io.plat.tls.pem},
 * {@code io.plat.tls.files} and SLF4J.
 */
@NullMarked
package io.plat.tls;

import org.jspecify.annotations.NullMarked;
