/**
 * Stored form of objects, and the served form that is derived without parsing. {@link io.plat.apiserver.stored.StorageRegistry} has the
 * key prefixes of types.
 *
 * <p>May depend on {@code conversion}, {@code type}, {@code memory} and {@code storage}.
 */
@NullMarked
package io.plat.apiserver.stored;

import org.jspecify.annotations.NullMarked;
