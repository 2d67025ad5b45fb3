/**
 * Answers that last: server-sent events for many clients at a time (HTML Living Standard, "Server-sent events").
 *
 * <p>One thread serves all clients of a path and never waits for one: each has at most one write under way, hears something every few
 * seconds, and is cut off alone where it does not read. May depend on {@code io.plat.http}; knows nothing of what is told.
 */
@NullMarked
package io.plat.http.stream;

import org.jspecify.annotations.NullMarked;
