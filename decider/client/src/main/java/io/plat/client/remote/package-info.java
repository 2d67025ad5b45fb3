/**
 * The connections to deciders: their addresses, health, retries and revision streams, over HTTP/1.1 and mutual TLS.
 *
 * <p>Used by {@link io.plat.client.AccessClient} and by the Webhook mode of this project's servers. Programs use the former; the types of this
 * package may change with any version.
 *
 * <p>The calling thread writes and reads itself, as handing over to another thread would take longer than the decision.
 */
@NullMarked
package io.plat.client.remote;

import org.jspecify.annotations.NullMarked;
