/**
 * PEM text (RFC 7468) read and written: certificates, bundles of them, private keys.
 *
 * <p>A file is read as a whole, up to a limit, before any part is used. Every problem has the source, the line and the expected content; none quotes
 * a key. Key structures are parsed with Bouncy Castle, the resulting objects are the JDK's. Depends on no other package of this product.
 */
@NullMarked
package io.plat.tls.pem;

import org.jspecify.annotations.NullMarked;
