/**
 * Leases of streams, which end with their authorization: watches, followed logs and {@code /decisions}.
 *
 * <p>A stream holds a lease. The request that opened it is authenticated several times a second, and authenticated and authorized as a
 * whole whenever the policy changes and at least once a minute. Each check repeats the request itself: the same credentials and
 * attributes, through the same filters. May depend on {@code io.plat.apiserver.filter} and {@code io.plat.apiserver.authentication}.
 */
@NullMarked
package io.plat.apiserver.lease;

import org.jspecify.annotations.NullMarked;
