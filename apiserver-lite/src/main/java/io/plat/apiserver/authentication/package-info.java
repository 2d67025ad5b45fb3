/**
 * Authentication that only an API server has: tokens in a file and tokens of service accounts, and users that a front proxy names in
 * header fields, trusted only with a certificate of the proxy's dedicated CA. The authentication that a decider has as well is {@code
 * io.plat.http.authentication}.
 *
 * <p>May depend on {@code io.plat.tls}, {@code io.plat.review} and {@code io.plat.http.authentication}. No credential is ever written to a
 * log or a message.
 */
@NullMarked
package io.plat.apiserver.authentication;

import org.jspecify.annotations.NullMarked;
