/**
 * Role objects of an API server, listed and watched, as the index that mode RBAC decides by.
 *
 * <p>The way of each of the four types: a list in chunks, then a watch from the list's version, resumed where it ended; a version that is
 * no longer kept means a new list, which is swapped in whole. Rules: what a server fails to answer, or answers wrongly, leaves
 * the last good policy deciding and is counted; nothing is decided before all four types have been listed once; every answer is
 * bounded in size and time. May depend on {@code io.plat.engine.rbac}, {@code io.plat.engine.rbac.served}, {@code
 * io.plat.review} and {@code io.plat.tls}.
 */
@NullMarked
package io.plat.engine.rbac.follow;

import org.jspecify.annotations.NullMarked;
