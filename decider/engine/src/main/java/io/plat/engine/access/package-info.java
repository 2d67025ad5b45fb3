/**
 * Policies as sets of accesses, and the algebra on them: union, difference, emptiness (ARCHITECTURE.md, "The algebra of policies").
 *
 * <p>An access is a verb on a resource (API group, resource, subresource, name, namespace) or on a path. Each attribute takes any string, so
 * that a set of values is either finite or everything but finitely many, and the operations are exact.
 * {@link io.plat.engine.access.PolicyAccess} has the access of each subject; {@link io.plat.engine.access.PolicyChange} has what a change of
 * policy grants and revokes. May depend on the policies of {@code io.plat.engine.abac} and {@code io.plat.engine.rbac} and on
 * {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.access;

import org.jspecify.annotations.NullMarked;
