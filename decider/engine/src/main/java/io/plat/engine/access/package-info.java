/**
 * Policies as sets of accesses, and the algebra on them: union, difference, emptiness (ARCHITECTURE.md, "Explaining").
 *
 * <p>An access is a verb on a resource (API group, resource, subresource, name, namespace) or on a path. An attribute may be any string; sets of
 * values are finite or cofinite, so the operations are exact. {@link io.plat.engine.access.PolicyAccess} has the access of each subject; {@link
 * io.plat.engine.access.PolicyChange} describes the grants and revocations of a change; {@link io.plat.engine.access.Coverage} whether rules grant more
 * than others, for the prevention of privilege escalation. Keys of clients are comparable, and comparisons bounded. May depend on the policies of {@code io.plat.engine.abac} and
 * {@code io.plat.engine.rbac} and on {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.access;

import org.jspecify.annotations.NullMarked;
