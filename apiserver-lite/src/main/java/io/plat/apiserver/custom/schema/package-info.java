/**
 * Structural schemas of custom types: validation, pruning, defaulting, and rules in CEL ({@code x-kubernetes-validations}).
 *
 * <p>A schema is immutable and thread-safe. Every traversal follows the value, whose depth and size are bounded before. Rules are
 * compiled once, with limits on their estimated cost, and evaluated with each write. Depends on {@code io.plat.apiserver.schema} and
 * {@code io.plat.apiserver.cel}; independent of types, storage and HTTP.
 */
@NullMarked
package io.plat.apiserver.custom.schema;

import org.jspecify.annotations.NullMarked;
