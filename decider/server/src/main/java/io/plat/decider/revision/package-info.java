/**
 * Tells clients which policy decides, now and at each change: {@code GET /revisions}, server-sent events.
 *
 * <p>One thread serves all subscribers and never waits for one: each has at most one write under way, and who does not read is cut off
 * alone. May depend on {@code io.plat.http.stream}.
 */
@NullMarked
package io.plat.decider.revision;

import org.jspecify.annotations.NullMarked;
