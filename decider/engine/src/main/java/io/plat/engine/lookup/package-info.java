/**
 * Immutable lookup structures that compiled policies are made of: exact keys by hash, prefixes by binary search, wildcards apart.
 *
 * <p>A lookup takes no lock and allocates nothing. A change makes a new structure that shares what did not change. Keys may
 * come from people who are trusted with a namespace only: many keys with one hash code must not make a lookup slow. Knows
 * no policy; depends on nothing.
 */
@NullMarked
package io.plat.engine.lookup;

import org.jspecify.annotations.NullMarked;
