/**
 * Users that a front proxy names in header fields: believed only from a certificate of the proxy's own authority.
 *
 * <p>May depend on {@code io.plat.tls}, {@code io.plat.review} and {@code io.plat.apiserver.request}.
 */
@NullMarked
package io.plat.apiserver.authentication.header;

import org.jspecify.annotations.NullMarked;
