/**
 * Tokens of service accounts: issued by this server, bound to an account, an audience, a time and perhaps a pod or a secret, and
 * verified against what is stored at the moment they are used.
 *
 * <p>The signature of a token is remembered for a short while; what the token is bound to is looked at every time, so that a token
 * ends with its account or object at once. May depend on {@code io.plat.apiserver.storage}.
 */
@NullMarked
package io.plat.apiserver.authentication.account;

import org.jspecify.annotations.NullMarked;
