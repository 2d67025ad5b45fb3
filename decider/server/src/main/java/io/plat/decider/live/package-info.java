/**
 * Live stream of decisions: {@code GET /decisions}, server-sent events, each with the line of the decision log, with the same fields masked.
 *
 * <p>Without subscribers, the stream costs decisions nothing, and otherwise little: they are queued without waiting. One thread serves all
 * subscribers; each has a bounded queue and at most one write in progress. Events that do not fit are dropped and counted, and the subscriber
 * receives their number. May depend on {@code io.plat.engine.decided}, {@code io.plat.http.stream} and {@code io.plat.http}.
 */
@NullMarked
package io.plat.decider.live;

import org.jspecify.annotations.NullMarked;
