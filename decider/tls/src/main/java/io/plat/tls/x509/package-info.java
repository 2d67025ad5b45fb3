/**
 * Certificates as values: an identity (chain and key), a bundle of trusted authorities, the names in a certificate, and the
 * judgement whether a peer's certificate is one to believe.
 *
 * <p>Everything here is immutable or keeps nothing but a cache; nothing reads the clock by itself. A judgement is a value, not an
 * exception: what a peer sends is untrusted and its being wrong is ordinary. Depends on {@code io.plat.tls.pem}.
 */
@NullMarked
package io.plat.tls.x509;

import org.jspecify.annotations.NullMarked;
