/**
 * Explanations as they travel: what allows a request, what almost does, and who may do something (contract, "Explaining"). Values
 * alone, made by whoever decides and read from further deciders; nothing here looks at a policy.
 *
 * <p>Everything is bounded where it is made, and says how much was left out, so that a part is never taken for the whole. May
 * depend on {@code io.plat.review} only.
 */
@NullMarked
package io.plat.review.explain;

import org.jspecify.annotations.NullMarked;
