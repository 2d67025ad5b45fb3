/**
 * Immutable lookup structures of compiled policies: exact keys by hash, prefixes in sorted order, wildcards separately.
 *
 * <p>A lookup takes no lock, and allocates nothing unless it is for a path. A change creates a new structure that shares unchanged parts. Keys may
 * come from users who are only trusted within a namespace: many keys with colliding hash codes must not slow down lookups. Independent of policies;
 * depends on no other package.
 */
@NullMarked
package io.plat.engine.lookup;

import org.jspecify.annotations.NullMarked;
