/**
 * Field ownership and server-side apply: field sets, their form in {@code metadata.managedFields}, comparing and merging objects by their
 * {@link io.plat.apiserver.schema.TypeSchema}. Operates on JSON trees, independent of types and storage; never blocks.
 */
@NullMarked
package io.plat.apiserver.apply;

import org.jspecify.annotations.NullMarked;
