/**
 * Streams that end with the right to them: watches, followed logs and {@code /decisions}.
 *
 * <p>A stream holds a lease. The request that opened it is authenticated several times a second, and authenticated and authorized as a whole
 * whenever the policy changes and at least once a minute. What is judged again is the request itself: the same credentials, the same
 * attributes, through the same filters. May depend on {@code io.plat.apiserver.filter} and {@code io.plat.apiserver.authentication}.
 */
@NullMarked
package io.plat.apiserver.lease;

import org.jspecify.annotations.NullMarked;
