/**
 * Certificates as values: an identity (chain and key), a bundle of trusted authorities, the names in a certificate, and the verification of a
 * peer's certificate.
 *
 * <p>Everything here is immutable or has only a cache; the clock is always a parameter. A verification result is a value, not an exception: a
 * peer's certificate is untrusted, and rejecting it is ordinary. Depends on {@code io.plat.tls.pem}.
 */
@NullMarked
package io.plat.tls.x509;

import org.jspecify.annotations.NullMarked;
