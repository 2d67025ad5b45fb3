/**
 * Signed tokens (JWT, RFC 7519, in the compact form of RFC 7515): parsing, verification and signing.
 *
 * <p>The contents of a token are untrusted until {@link io.plat.http.authentication.jwt.SignedToken#verifiedBy} returns true. A key
 * accepts only the algorithms of its kind, regardless of what a token claims. May depend on {@code io.plat.tls} and the JOSE library.
 */
@NullMarked
package io.plat.http.authentication.jwt;

import org.jspecify.annotations.NullMarked;
