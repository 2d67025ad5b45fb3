/**
 * Allocation of unique values, such as addresses and ports, to objects: each to one owner at a time, across all servers of a store.
 *
 * <p>An allocated item is a key of the store next to the objects, inaccessible through the API. Depends on keys and transactions,
 * not on HTTP or JSON.
 */
@NullMarked
package io.plat.apiserver.allocation;

import org.jspecify.annotations.NullMarked;
