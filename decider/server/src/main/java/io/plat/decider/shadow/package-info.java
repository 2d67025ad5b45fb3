/**
 * A policy that is tried out: decides what is decided, off the way of answers, and tells where it would have decided otherwise.
 *
 * <p>What a candidate decides is never answered, and nothing of it is waited for. What it can't keep up with is dropped and counted. May
 * depend on the engine and on {@code io.plat.decider.log}.
 */
@NullMarked
package io.plat.decider.shadow;

import org.jspecify.annotations.NullMarked;
