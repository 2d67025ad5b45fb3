/**
 * Issuing of certificates: an authority, and certificates of servers and clients. Meant for development, tests and small installations; a larger
 * one brings its own authority.
 *
 * <p>Everything issued follows the profile of RFC 5280: random serials, key identifiers, key usages that fit the key. The clock is a parameter,
 * so that tests can issue expired ones. Depends on {@code io.plat.tls.x509} and Bouncy Castle.
 */
@NullMarked
package io.plat.tls.pki;

import org.jspecify.annotations.NullMarked;
