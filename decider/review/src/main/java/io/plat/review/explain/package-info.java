/**
 * Value types of explanations: grants of a request, near misses, and subjects with an access (contract, "Explaining"). They are created by
 * authorizers and read from remote deciders; nothing here uses a policy.
 *
 * <p>All lists are bounded when they are created, and have the number of omitted elements, so that a partial list is never mistaken for a complete
 * one. May depend on {@code io.plat.review} only.
 */
@NullMarked
package io.plat.review.explain;

import org.jspecify.annotations.NullMarked;
