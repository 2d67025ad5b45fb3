/**
 * The border to the HTTP server: a request of the connection becomes a call, passes the filters, reaches its endpoint and
 * becomes a response. The one place that turns a failure into an answer.
 *
 * <p>What can be decided from memory is decided on the thread that read the request; everything that may wait runs on a virtual
 * thread of its own.
 */
@NullMarked
package io.plat.apiserver.front;

import org.jspecify.annotations.NullMarked;
