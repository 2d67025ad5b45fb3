/**
 * Webhook mode: a remote decider decides (specification, "Webhook mode").
 *
 * <p>{@link io.plat.engine.webhook.WebhookAuthorizer} sends requests; {@link io.plat.engine.webhook.CachingAuthorizer} caches responses. Both
 * fail closed: only a response that is a review with {@code allowed} is an allow, everything else is {@code Undecided}, within one deadline for
 * all attempts. A failed connection, 429 and 5xx are retried; a response that has begun is not. Undecided responses are never cached, and a hit
 * never extends a cached decision.
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
 * <p>and one about a path has {@code "nonResourceAttributes": {"path": "/metrics", "verb": "get"}} in place of {@code resourceAttributes}. The
 * response needs a status only:
 *
 * <pre>{@code
 * {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
 *  "status": {"allowed": false, "reason": "no RBAC policy matched"}}
 * }</pre>
 */
@NullMarked
package io.plat.engine.webhook;

import org.jspecify.annotations.NullMarked;
