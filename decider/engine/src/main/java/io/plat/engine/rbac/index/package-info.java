/**
 * Deciding by role objects. {@link io.plat.engine.rbac.index.RbacIndex} is a policy compiled for lookups: from a subject to the
 * scopes in which it is bound, from there to the permissions of its roles, from there to the rule that grants.
 *
 * <p>Nothing here changes once made: a change of the policy makes a new index that shares what stayed, and readers see either the
 * old or the new one. A decision takes no lock, scans neither bindings nor roles, and costs the same however many there are.
 * May depend on {@code io.plat.engine}, its lookup structures, {@code io.plat.engine.rbac} and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.index;

import org.jspecify.annotations.NullMarked;
