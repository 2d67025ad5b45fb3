/**
 * Decisions as they are made, for those who look on: {@code GET /decisions}, server-sent events, each the line that a decision log would
 * have, with the same fields masked.
 *
 * <p>Looking on costs decisions nothing while nobody does, and next to nothing else: they are handed over and never wait. One thread
 * serves all onlookers; each has a bounded number of decisions waiting and at most one write under way. What has no room is dropped and
 * counted, and the onlooker is told how many. May depend on {@code io.plat.engine.decided},
 * {@code io.plat.http.stream} and {@code io.plat.http}.
 */
@NullMarked
package io.plat.decider.live;

import org.jspecify.annotations.NullMarked;
