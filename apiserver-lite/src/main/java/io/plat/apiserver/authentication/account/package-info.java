/**
 * Service account tokens: issued by this server, bound to an account, an audience, a time and optionally a pod or a secret, and verified
 * against the stored objects when they are used.
 *
 * <p>Valid signatures are cached for a short time; bound objects are checked every time, so that a token becomes invalid immediately with
 * its account or object. May depend on {@code io.plat.apiserver.storage}.
 */
@NullMarked
package io.plat.apiserver.authentication.account;

import org.jspecify.annotations.NullMarked;
