/**
 * What is done for a request that was let through: resource operations, reviews, discovery, health.
 *
 * <p>An {@link io.plat.apiserver.endpoint.Endpoint} turns a call into an answer or throws the Status to answer with. All of
 * them work from the request info that was authorized and never look at the target again. Knows no HTTP server.
 */
@NullMarked
package io.plat.apiserver.endpoint;

import org.jspecify.annotations.NullMarked;
