/**
 * Stored form of objects, and the served form that is made from it without parsing. {@link io.plat.apiserver.stored.StorageRegistry}
 * has the key prefixes that belong to types.
 *
 * <p>May depend on {@code conversion}, {@code type}, {@code memory} and {@code storage}.
 */
@NullMarked
package io.plat.apiserver.stored;

import org.jspecify.annotations.NullMarked;
