/**
 * Access reviews: SubjectAccessReview and related types, their versions and names, and the codec between bytes and values.
 *
 * <p>Everything here is an immutable value. Values are valid by construction: a review has exactly one kind of attributes, so that an authorizer
 * never receives a request with both or neither. May depend on {@code io.plat.tls} and on Jackson's streaming core; independent of authorizers and
 * HTTP servers.
 */
@NullMarked
package io.plat.review;

import org.jspecify.annotations.NullMarked;
