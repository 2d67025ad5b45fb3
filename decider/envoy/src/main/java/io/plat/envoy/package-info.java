/**
 * Envoy's external authorization over gRPC: {@code envoy.service.auth.v3.Authorization/Check}. The messages are Envoy's own; calls are served by
 * Jetty. Loaded with its libraries only for {@code --envoy-check}. Depends on {@code fronts}.
 */
@NullMarked
package io.plat.envoy;

import org.jspecify.annotations.NullMarked;
