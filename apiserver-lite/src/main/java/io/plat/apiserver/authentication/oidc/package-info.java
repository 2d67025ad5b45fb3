/**
 * Users that an OpenID Connect issuer vouches for: the claims of its identity tokens become a user.
 *
 * <p>The issuer's keys are fetched over TLS alone, within bounds of size and time, in the background and when a token names one that is
 * not known yet; or read from a file. Whatever becomes of that holds up nobody but whoever presents a token of this issuer.
 */
@NullMarked
package io.plat.apiserver.authentication.oidc;

import org.jspecify.annotations.NullMarked;
