/**
 * Decisions that were made, to account for them: with what was asked, by which policy and how long it took, as one line of JSON each, in which
 * fields can be masked. A log and a stream show the same. Knows the engine's decisions and the reviews, and no HTTP.
 */
@NullMarked
package io.plat.engine.decided;

import org.jspecify.annotations.NullMarked;
