/**
 * Migration, backup and restore of a store's contents: objects in the order of their keys, at one revision. A destination is unusable
 * until everything was written and read back, and its revisions continue after those that clients have seen. Independent of the backends,
 * which may depend on this package.
 */
@NullMarked
package io.plat.apiserver.storage.move;

import org.jspecify.annotations.NullMarked;
