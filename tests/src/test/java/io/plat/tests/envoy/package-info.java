/** Envoy's external authorization over gRPC: a decider with gRPC's own client, with frames that no client sends, and with Envoy itself. */
@NullMarked
package io.plat.tests.envoy;

import org.jspecify.annotations.NullMarked;
