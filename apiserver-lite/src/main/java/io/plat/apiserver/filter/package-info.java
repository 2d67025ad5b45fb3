/**
 * Filter chain: the steps that a request passes before its endpoint.
 * <pre>
 * request info     | 400 for a target that could be read in two ways
 * authentication   | 401 for a credential that is not to be believed
 * audit            | 500 where the request's arrival has to be recorded and can't be
 * impersonation    | 403 for one who may not be whom they name, 500 where that could not be decided
 * in flight        | 429 for what is beyond the limits
 * authorization    | 403 with the reason, 500 where it could not be decided
 * role objects     | 403 for writers that could grant themselves more
 * -> endpoint
 * </pre>
 *
 * <p>A filter rejects a request by throwing a Status; one place turns it into the response. No filter reads a body, so that no body is
 * read before authorization. A filter that may block declares it, and runs on a virtual thread.
 *
 * <p>May depend on {@code io.plat.apiserver.request}, {@code io.plat.apiserver.authentication}, {@code io.plat.apiserver.audit}, {@code
 * io.plat.engine} and {@code io.plat.http}'s limit on requests in flight; does not depend on the HTTP server.
 */
@NullMarked
package io.plat.apiserver.filter;

import org.jspecify.annotations.NullMarked;
