/**
 * Long-lived responses: server-sent events for many clients at a time (HTML Living Standard, "Server-sent events").
 *
 * <p>One thread serves all clients of a path and never waits for one: each has at most one write in progress and receives an event every few seconds.
 * Only a client that does not read is disconnected. May depend on {@code io.plat.http}; independent of the events.
 */
@NullMarked
package io.plat.http.stream;

import org.jspecify.annotations.NullMarked;
