/**
 * Users that an OpenID Connect issuer authenticates: the claims of its identity tokens become a user.
 *
 * <p>The issuer's keys are fetched over TLS, with limits on size and time, in the background and when a token names an unknown key; or
 * read from a file. A slow issuer delays only requests with its tokens.
 */
@NullMarked
package io.plat.http.authentication.oidc;

import org.jspecify.annotations.NullMarked;
