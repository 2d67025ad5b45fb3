/**
 * Matrix of subjects against resources, computed with the server's authorizer.
 *
 * <p>If decisions do not block, each cell is a decision; else the subjects are listed by column and verb. Both are bounded in time. May depend on
 * {@code io.plat.engine}, {@code io.plat.engine.explain} and reviews.
 */
@NullMarked
package io.plat.engine.matrix;

import org.jspecify.annotations.NullMarked;
