/**
 * The HTTPS server of both programs: connector, limits, the list of handlers of a request, the one place that turns a failure into a response,
 * and the graceful shutdown.
 *
 * <p>A request passes a list of Jetty core handlers, written in the order they run, and a request that none of them answers reaches Javalin's
 * routes. The handlers run on the thread that read the request and must never block; everything behind them runs on a virtual thread of its own.
 * The path reaches every handler as it was sent; one that could be read in two ways never reaches a route. May depend on {@code io.plat.tls} and
 * on Status and codecs of {@code io.plat.review}; knows no authorizer.
 */
@NullMarked
package io.plat.http;

import org.jspecify.annotations.NullMarked;
