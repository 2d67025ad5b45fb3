/**
 * HTTPS server of both programs: connector, limits, handler chain, representation of failures, and graceful shutdown.
 *
 * <p>A request passes a list of Jetty core handlers, in order; if none of them answers it, it reaches Javalin's routes. The handlers run on the
 * thread that read the request and must never block; routes run on a virtual thread per request. Handlers receive the path as sent; an ambiguous path
 * never reaches a route. May depend on {@code io.plat.tls} and on Status and codecs of {@code io.plat.review}; independent of authorizers.
 */
@NullMarked
package io.plat.http;

import org.jspecify.annotations.NullMarked;
