/**
 * Endpoints of admitted requests: resource operations, reviews, discovery, health.
 *
 * <p>An {@link io.plat.apiserver.endpoint.ApiEndpoint} maps a call to a response or throws a Status. All of them use the request info that
 * was authorized and never parse the target again. Does not depend on the HTTP server.
 */
@NullMarked
package io.plat.apiserver.endpoint;

import org.jspecify.annotations.NullMarked;
