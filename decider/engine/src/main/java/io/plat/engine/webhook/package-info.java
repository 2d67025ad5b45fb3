/**
 * Webhook mode: the decision is a remote decider's (specification, "Webhook mode").
 *
 * <p>{@link io.plat.engine.webhook.WebhookAuthorizer} asks; {@link io.plat.engine.webhook.CachingAuthorizer} remembers. Both fail
 * closed: only an answer that is a review and says allowed is an allow, everything else that can come over a network is
 * {@code Undecided}, within one deadline for all attempts. A failed connection, 429 and 5xx are tried again; an answer that was
 * begun is not. Nothing undecided is remembered, and being asked again never makes an answer last longer.
 */
@NullMarked
package io.plat.engine.webhook;

import org.jspecify.annotations.NullMarked;
