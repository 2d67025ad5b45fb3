/**
 * Object metadata, the same for all types: validation, generation, finalizers, owner references, and server-managed fields.
 *
 * <p>May depend on {@code options}, {@code type} and their dependencies.
 */
@NullMarked
package io.plat.apiserver.metadata;

import org.jspecify.annotations.NullMarked;
