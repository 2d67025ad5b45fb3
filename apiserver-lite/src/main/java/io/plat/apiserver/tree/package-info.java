/**
 * JSON trees: the mapper, with the limits for client input, and a parser that finds duplicate fields. May depend on {@code
 * io.plat.review.json} only.
 */
@NullMarked
package io.plat.apiserver.tree;

import org.jspecify.annotations.NullMarked;
