/**
 * Line-oriented logs: events that many threads record, formatted and written by one thread.
 *
 * <p>The queue between them is bounded in number and in bytes. If no caller waits, events that do not fit or cannot be written are dropped and
 * counted; a caller that waits learns whether its line was written. A line is written as a whole or removed; full files are rotated. Independent of
 * event types and of HTTP.
 */
@NullMarked
package io.plat.http.lines;

import org.jspecify.annotations.NullMarked;
