/**
 * Audit: who asked for what, when, what was decided about it and what became of it, as events of {@code audit.k8s.io/v1} in a file or
 * sent to a webhook.
 *
 * <p>A request that the policy records carries one {@link io.plat.apiserver.audit.Audited}; everybody on its way leaves there what they
 * know, and nothing of it is turned into text before the thread that writes ({@code io.plat.http.lines}). No credential gets into an
 * event: header fields but the user agent are not looked at, and tokens in the bodies of reviews and token requests are masked. Knows
 * attributes, decisions and statuses, and no HTTP server.
 */
@NullMarked
package io.plat.apiserver.audit;

import org.jspecify.annotations.NullMarked;
