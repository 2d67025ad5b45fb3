/**
 * Operations of the resource API, independent of transport: create, get, list, watch, update, patch, apply, delete, scale, evict and
 * bind.
 *
 * <p>Every failure is a {@link io.plat.review.status.StatusException} with the message that kube-apiserver prints. Independent of HTTP.
 * May depend on {@code objects} and everything below it.
 */
@NullMarked
package io.plat.apiserver.operations;

import org.jspecify.annotations.NullMarked;
