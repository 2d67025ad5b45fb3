/**
 * Explanations: grants of a request, near misses, and subjects with an access (contract, "Explaining").
 *
 * <p>{@link io.plat.engine.explain.Explainer} is an optional interface of authorizers. An explanation scans the whole policy, which takes
 * milliseconds, on a thread that may block, so that decisions are not slowed down. Its decision is the authorizer's own, under the same state of the
 * policy. Every response lists the authorizers that cannot explain. May depend on {@code io.plat.engine} and {@code io.plat.review}; independent of
 * the modes.
 */
@NullMarked
package io.plat.engine.explain;

import org.jspecify.annotations.NullMarked;
