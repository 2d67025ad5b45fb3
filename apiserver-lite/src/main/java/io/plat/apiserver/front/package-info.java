/**
 * Adapter to the HTTP server: a request becomes a call, passes the filters, reaches its endpoint and becomes a response. The only place
 * that turns a failure into a response.
 *
 * <p>Requests are decided on the thread that read them if that needs only memory; everything else has a platform thread.
 * Subscribers may follow the decisions live: {@code GET /decisions}, server-sent events in the format of the decider's decision log.
 */
@NullMarked
package io.plat.apiserver.front;

import org.jspecify.annotations.NullMarked;
