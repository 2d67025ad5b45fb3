/**
 * Follower of an API server's role objects, which are listed, watched and indexed for the RBAC mode.
 *
 * <p>Each of the four types is listed in chunks and then watched from the list's version; an ended watch is resumed. If a version is no longer
 * available, a new list replaces the old one as a whole. A failed or malformed response leaves the last valid policy in effect and is counted; the
 * policy is not in effect before all four types have been listed once; every response is bounded in size and time. May depend on {@code
 * io.plat.engine.rbac}, {@code io.plat.engine.rbac.served}, {@code io.plat.review} and {@code io.plat.tls}.
 */
@NullMarked
package io.plat.engine.rbac.follow;

import org.jspecify.annotations.NullMarked;
