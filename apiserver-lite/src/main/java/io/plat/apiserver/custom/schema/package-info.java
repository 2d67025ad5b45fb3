/**
 * Structural schemas of custom types: which values they allow, what is pruned and filled in, and their rules in CEL
 * ({@code x-kubernetes-validations}).
 *
 * <p>A schema is applied to trees, any number of times and by any number of threads. Every walk along an object follows the value, whose
 * depth and size are bounded before. Rules are compiled once, within limits on what they may cost, and evaluated with each write. Depends on
 * {@code io.plat.apiserver.schema} and {@code io.plat.apiserver.cel}; knows nothing of types, storage or HTTP.
 */
@NullMarked
package io.plat.apiserver.custom.schema;

import org.jspecify.annotations.NullMarked;
