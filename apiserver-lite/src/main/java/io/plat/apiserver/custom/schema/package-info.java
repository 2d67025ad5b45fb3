/**
 * Structural schemas, as definitions of types hold them: what a value has to be, what is taken out of it and what is filled in.
 *
 * <p>A schema is compiled once and then applied to trees, any number of times and by any number of threads. Every walk goes down the
 * value, whose depth and size are bounded before, and never the schema alone. Knows nothing of types, storage or HTTP.
 */
@NullMarked
package io.plat.apiserver.custom.schema;

import org.jspecify.annotations.NullMarked;
