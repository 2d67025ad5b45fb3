/** Envoy's external authorization over gRPC: a decider, gRPC's own client, frames that no client sends, and Envoy itself. */
@NullMarked
package io.plat.tests.envoy;

import org.jspecify.annotations.NullMarked;
