/**
 * The mode ABAC: a policy file with one JSON object per line (specification, "ABAC mode").
 *
 * <p>{@link io.plat.engine.abac.AbacFile} reads a file and reports all its problems; {@link io.plat.engine.abac.AbacPolicy} is its content;
 * {@link io.plat.engine.abac.AbacIndex} is the same, indexed so that a decision costs the same for ten lines and for a hundred thousand. An
 * unknown field is a problem and never ignored: a misspelled {@code readonly} would widen what the line grants. May depend on
 * {@code io.plat.engine}, its lookup structures and explanations, and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.abac;

import org.jspecify.annotations.NullMarked;
