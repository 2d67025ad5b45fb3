/**
 * Metadata of objects, the same for every type: validation, generation, finalizers, owner references, and the fields that only the
 * server sets.
 *
 * <p>May depend on {@code options}, {@code type} and what is below them.
 */
@NullMarked
package io.plat.apiserver.metadata;

import org.jspecify.annotations.NullMarked;
