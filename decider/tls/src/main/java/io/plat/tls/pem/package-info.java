/**
 * PEM text (RFC 7468) read and written: certificates, bundles of them, private keys.
 *
 * <p>A file is read whole, up to a bound, before anything of it is believed. Every problem names the source and the line and
 * says what was expected; none quotes a key. Key structures are taken apart with Bouncy Castle, the resulting objects are the
 * JDK's. Depends on nothing else of this product.
 */
@NullMarked
package io.plat.tls.pem;

import org.jspecify.annotations.NullMarked;
