/**
 * Users that a front proxy names in header fields, trusted only with a certificate of the proxy's dedicated CA.
 *
 * <p>May depend on {@code io.plat.tls}, {@code io.plat.review} and {@code io.plat.review.request}.
 */
@NullMarked
package io.plat.apiserver.authentication.header;

import org.jspecify.annotations.NullMarked;
