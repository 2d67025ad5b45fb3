/**
 * Readers of policies, manifests and client configurations into trees in which every value has its line.
 *
 * <p>Reading is safe (no types are constructed, sizes, depth and aliases are bounded), and a problem always has file and line. Callers interpret
 * trees, and collect all problems. Not for hot paths: reviews have a separate streaming codec.
 */
@NullMarked
package io.plat.review.source;

import org.jspecify.annotations.NullMarked;
