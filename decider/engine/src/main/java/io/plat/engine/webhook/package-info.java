/**
 * Webhook mode: the decision is a remote decider's (specification, "Webhook mode").
 *
 * <p>{@link io.plat.engine.webhook.WebhookAuthorizer} asks; {@link io.plat.engine.webhook.CachingAuthorizer} remembers. Both fail
 * closed: only an answer that is a review and says allowed is an allow, everything else that can come over a network is
 * {@code Undecided}, within one deadline for all attempts. A failed connection, 429 and 5xx are tried again; an answer that was
 * begun is not. Nothing undecided is remembered, and being asked again never makes an answer last longer.
 *
 * <p>The wire format is a POST of JSON over mutual TLS. A request about a resource, as {@code authorization.k8s.io/v1}:
 *
 * <pre>{@code
 * {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
 *  "spec": {"user": "alice", "groups": ["developers", "system:authenticated"],
 *           "resourceAttributes": {"namespace": "team-a", "verb": "get", "group": "apps", "version": "v1",
 *                                  "resource": "deployments", "subresource": "scale", "name": "web"}}}
 * }</pre>
 *
 * <p>and one about a path has {@code "nonResourceAttributes": {"path": "/metrics", "verb": "get"}} in place of
 * {@code resourceAttributes}. The answer needs a status only:
 *
 * <pre>{@code
 * {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
 *  "status": {"allowed": false, "reason": "no RBAC policy matched"}}
 * }</pre>
 */
@NullMarked
package io.plat.engine.webhook;

import org.jspecify.annotations.NullMarked;
