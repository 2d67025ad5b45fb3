/**
 * Evaluation of a candidate policy: it repeats decisions, apart from responses, and reports disagreements.
 *
 * <p>A candidate's decision is never sent, and no response waits for it. Decisions that do not fit are dropped and counted. May depend on the
 * engine and on {@code io.plat.decider.log}.
 */
@NullMarked
package io.plat.decider.shadow;

import org.jspecify.annotations.NullMarked;
