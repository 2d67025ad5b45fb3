/**
 * Who may do what, as a table: subjects against resources, from the authorizer that decides.
 *
 * <p>Where decisions are made from memory each cell is one; else everybody who may do something is asked for, column by column and
 * verb by verb. Both are bounded in time. May depend on {@code io.plat.engine}, {@code io.plat.engine.explain} and reviews.
 */
@NullMarked
package io.plat.engine.matrix;

import org.jspecify.annotations.NullMarked;
