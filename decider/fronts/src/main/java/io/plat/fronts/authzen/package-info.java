/**
 * The OpenID AuthZEN Authorization API 1.0 of a decider: single and batched evaluations, searches, and metadata.
 *
 * <p>An evaluation names a subject, an action and a resource by types and ids. A {@link io.plat.fronts.authzen.Mapping} turns them into
 * the attributes of a review, so that an evaluation is the decision on that review. A search returns the names in the policy for which
 * an evaluation would be true.
 */
@NullMarked
package io.plat.fronts.authzen;

import org.jspecify.annotations.NullMarked;
