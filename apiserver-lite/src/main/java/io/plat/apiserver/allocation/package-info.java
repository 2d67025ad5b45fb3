/**
 * Allocates what there is only once, such as addresses and ports, to objects: each to one at a time, whichever server of a store is asked.
 *
 * <p>An allocated item is a key of the store beside the objects, out of the API's reach. Knows keys and transactions, no HTTP and no JSON.
 */
@NullMarked
package io.plat.apiserver.allocation;

import org.jspecify.annotations.NullMarked;
