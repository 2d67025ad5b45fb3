/**
 * Audit: the user, time, decision and outcome of each request, as events of {@code audit.k8s.io/v1} in a file or sent to a webhook.
 *
 * <p>A recorded request carries one {@link io.plat.apiserver.audit.AuditRecord}, to which each stage of its processing contributes. Nothing
 * is serialized before the writer thread ({@code io.plat.http.lines}). No credential gets into an event: header fields other than the
 * user agent are not read, and tokens in the bodies of reviews and token requests are masked. Depends on attributes, decisions and
 * statuses, not on the HTTP server.
 */
@NullMarked
package io.plat.apiserver.audit;

import org.jspecify.annotations.NullMarked;
