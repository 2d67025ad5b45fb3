/**
 * Moves everything that a store keeps to another one, or into a file and back. Contents are objects in the order of their keys, at one
 * revision; whoever takes them in shows nothing of them before all of it is there and was read back, and counts revisions behind those that
 * clients have seen. Knows nothing of where stores keep them: their packages do, which may depend on this one.
 */
@NullMarked
package io.plat.apiserver.storage.move;

import org.jspecify.annotations.NullMarked;
