/**
 * Garbage collection: follows every stored type through the store's watches, keeps a graph of references by uid, and deletes objects
 * without owners: in the background, before the owner (foreground), or not at all (orphan).
 *
 * <p>Its state is rebuilt from the store at startup, so that nothing is lost when a server stops. It writes through the same operations
 * as requests, conditional on the evaluated state.
 */
@NullMarked
package io.plat.apiserver.garbage;

import org.jspecify.annotations.NullMarked;
