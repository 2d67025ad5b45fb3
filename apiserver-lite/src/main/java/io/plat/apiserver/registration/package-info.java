/**
 * What the server says about itself by objects, as existing servers do: the service {@code kubernetes}, by which clients inside reach
 * it, with its endpoints in both forms; and an object of each group version that is served.
 *
 * <p>Rules: nothing waits for it, the start of the server least of all; one process of those that share a store does it; objects are
 * written by the operations that requests use, and only where something differs. May depend on {@code io.plat.apiserver.operations},
 * {@code io.plat.apiserver.discovery}, {@code io.plat.apiserver.allocation} and {@code io.plat.apiserver.storage}.
 */
@NullMarked
package io.plat.apiserver.registration;

import org.jspecify.annotations.NullMarked;
