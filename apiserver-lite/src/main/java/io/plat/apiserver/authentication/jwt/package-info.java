/**
 * Signed tokens (JWT, RFC 7519, in the compact form of RFC 7515): taken apart, verified, signed.
 *
 * <p>What a token says counts for nothing until {@link io.plat.apiserver.authentication.jwt.SignedToken#verifiedBy} has said yes. A
 * key admits the algorithms of its kind alone, whatever a token claims. May depend on {@code io.plat.tls} and the JOSE library.
 */
@NullMarked
package io.plat.apiserver.authentication.jwt;

import org.jspecify.annotations.NullMarked;
