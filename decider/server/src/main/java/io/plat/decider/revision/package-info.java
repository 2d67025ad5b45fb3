/**
 * Stream of the policy in effect, now and at each change: {@code GET /revisions}, server-sent events.
 *
 * <p>One thread serves all subscribers and never waits for one: each has at most one write in progress, and only a subscriber that does not read
 * is disconnected. May depend on {@code io.plat.http.stream}.
 */
@NullMarked
package io.plat.decider.revision;

import org.jspecify.annotations.NullMarked;
