/**
 * Allocation of unique values, such as addresses and ports, to objects: each to one owner at a time, across all servers of a store.
 *
 * <p>An allocated item is a key of the store beside the objects, out of the API's reach. Depends on keys and transactions,
 * not on HTTP or JSON.
 */
@NullMarked
package io.plat.apiserver.allocation;

import org.jspecify.annotations.NullMarked;
