/**
 * Nobody grants what they do not hold (specification, "RBAC mode", 6): whoever writes a role or a binding has to hold every
 * permission in it, at its scope, or the verb {@code escalate} or {@code bind}.
 *
 * <p>Rules: what counts is what the role objects grant, whatever the authorizer, also where mode RBAC is off; the object is
 * checked that is written; {@code system:masters} and the super user pass. May depend on {@code io.plat.apiserver.operations},
 * {@code io.plat.engine.rbac} and its parts, and {@code io.plat.review}.
 */
@NullMarked
package io.plat.apiserver.roles.escalation;

import org.jspecify.annotations.NullMarked;
