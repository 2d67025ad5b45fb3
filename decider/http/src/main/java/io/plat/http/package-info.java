/**
 * HTTPS server of both programs: connector, limits, handler chain, representation of failures, and graceful shutdown.
 *
 * <p>A request passes a list of Jetty core handlers, in order; one that none of them answers is answered 404. The handlers run on the thread that
 * read the request and must never block; what may block moves to another thread. Handlers receive the path as sent. May depend on {@code io.plat.tls} and on Status and codecs of {@code io.plat.review}; independent of authorizers.
 */
@NullMarked
package io.plat.http;

import org.jspecify.annotations.NullMarked;
