/**
 * Authentication: the user behind a request's credentials.
 *
 * <p>An {@link io.plat.http.authentication.Authenticator} handles one kind of credential and returns a user, a refusal, or that
 * there is no such credential. A request whose credential nobody accepts fails with 401; only a request without any is anonymous.
 * Authenticators are consulted in the order of {@link io.plat.http.authentication.AuthenticatorUnion} and decide from memory, or
 * declare that they may block. Bearer tokens are authenticated by {@link
 * io.plat.http.authentication.BearerTokenAuthenticator}, for requests and
 * for TokenReviews.
 *
 * <p>May depend on {@code io.plat.tls} and {@code io.plat.review}; does not depend on the rest of the HTTP server except for flags and start-up. No credential is ever written to a
 * log or a message.
 */
@NullMarked
package io.plat.http.authentication;

import org.jspecify.annotations.NullMarked;
