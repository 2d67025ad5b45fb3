/**
 * Operations of the resource API without a transport: create, get, list, watch, update, patch, apply, delete, scale, evict and bind.
 *
 * <p>Every refusal is a {@link io.plat.review.status.StatusException} with the message that kube-apiserver prints. Knows no HTTP. May depend
 * on {@code objects} and everything below it.
 */
@NullMarked
package io.plat.apiserver.operations;

import org.jspecify.annotations.NullMarked;
