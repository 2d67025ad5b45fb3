/**
 * The decision log: one JSON line for each decision, with what it takes to account for it and to repeat it.
 *
 * <p>A decision is handed over as it is; everything that costs, from its reason's text to the disk, is done by one thread ({@code
 * io.plat.http.lines}). In {@code batch} mode what does not fit, or can't be written, is
 * dropped and counted, and no answer waits; in {@code blocking} mode an answer waits for its line and is a failure where there is
 * none. May depend on {@code io.plat.engine.decided}, and knows no HTTP.
 */
@NullMarked
package io.plat.decider.log;

import org.jspecify.annotations.NullMarked;
