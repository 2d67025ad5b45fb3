/**
 * Who asks: the user behind a request's credentials.
 *
 * <p>An {@link io.plat.apiserver.authentication.Authenticator} looks at one kind of credential and has three answers: this is
 * the user, this credential is not to be believed, or there is no such credential. A credential that was presented and not
 * believed by anyone ends the request with 401; only a request without any is anonymous. Authenticators are asked in the order
 * of {@link io.plat.apiserver.authentication.AuthenticatorUnion} and decide from memory, or say that they may wait. Bearer tokens are
 * judged by {@link io.plat.apiserver.authentication.BearerTokens}, whether a request or a review shows them.
 *
 * <p>May depend on {@code io.plat.tls} and {@code io.plat.review}; knows no HTTP server. No credential is ever written to a log
 * or a message.
 */
@NullMarked
package io.plat.apiserver.authentication;

import org.jspecify.annotations.NullMarked;
