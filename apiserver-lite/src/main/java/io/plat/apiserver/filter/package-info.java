/**
 * Filter chain: the steps that a request passes before its endpoint.
 * <pre>
 * request info     | 400 for an ambiguous target
 * authentication   | 401 for an invalid credential, 503 if it could not be verified
 * audit            | 500 if the arrival must be recorded and cannot be
 * impersonation    | 403 if it is denied, 500 if that could not be decided
 * in flight        | 429 beyond the limits
 * authorization    | 403 with the reason, 500 if it could not be decided
 * -> endpoint
 * </pre>
 *
 * <p>A filter rejects a request by throwing a Status; one place turns it into the response. No filter reads a body, so that no body is
 * read before authorization. A filter that may block declares it, and runs on the request's own thread.
 *
 * <p>May depend on {@code io.plat.review.request}, {@code io.plat.apiserver.authentication}, {@code io.plat.apiserver.audit}, {@code
 * io.plat.engine} and {@code io.plat.http}'s limit on requests in flight; does not depend on the HTTP server.
 */
@NullMarked
package io.plat.apiserver.filter;

import org.jspecify.annotations.NullMarked;
