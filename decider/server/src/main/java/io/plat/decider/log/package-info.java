/**
 * The decision log: one JSON line for each decision, with the information for accounting and replay.
 *
 * <p>Decisions are queued unformatted; one thread formats and writes them ({@code io.plat.http.lines}). In {@code batch} mode a decision that does
 * not fit, or can't be written, is dropped and counted, and no response waits; in {@code blocking} mode a response waits for its line and is a
 * failure without one. May depend on {@code io.plat.engine.decided}, independent of HTTP.
 */
@NullMarked
package io.plat.decider.log;

import org.jspecify.annotations.NullMarked;
