/**
 * Logs of lines: events that many threads hand over, turned into lines and written by one thread.
 *
 * <p>Between the two stands a queue that is bounded in number and in bytes. Where nobody waits, what does not fit or can't be written
 * is dropped and counted; where somebody waits, they learn whether their line was written. A line is written whole or taken back; files
 * are put aside when they are full. Knows neither what an event is nor HTTP.
 */
@NullMarked
package io.plat.http.lines;

import org.jspecify.annotations.NullMarked;
