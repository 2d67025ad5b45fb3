/**
 * The matrix of subjects against resources, from the authorizer that decides.
 *
 * <p>If decisions are made from memory, each cell is one; else the subjects are listed column by column and verb by verb. Both are bounded in
 * time. May depend on {@code io.plat.engine}, {@code io.plat.engine.explain} and reviews.
 */
@NullMarked
package io.plat.engine.matrix;

import org.jspecify.annotations.NullMarked;
