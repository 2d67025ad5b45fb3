/**
 * Immutable lookup structures of compiled policies: exact keys by hash, prefixes by binary search, wildcards separately.
 *
 * <p>A lookup takes no lock and allocates nothing. A change makes a new structure that shares unchanged parts. Keys may come from users who are
 * only trusted with a namespace: many keys with one hash code must not make a lookup slow. Knows no policy; depends on nothing.
 */
@NullMarked
package io.plat.engine.lookup;

import org.jspecify.annotations.NullMarked;
