/**
 * Ownership of an object's fields, and server-side apply: sets of fields, their form in {@code
 * metadata.managedFields}, comparing and merging objects by their {@link io.plat.apiserver.schema.TypeSchema}. Knows objects as trees
 * and neither types nor storage; nothing here waits.
 */
@NullMarked
package io.plat.apiserver.apply;

import org.jspecify.annotations.NullMarked;
