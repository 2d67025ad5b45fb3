/**
 * Documents as JSON trees: the one mapper, with the limits that hold for everything a client sends, and a reader that finds repeated
 * fields. May depend on {@code io.plat.review.json} only.
 */
@NullMarked
package io.plat.apiserver.tree;

import org.jspecify.annotations.NullMarked;
