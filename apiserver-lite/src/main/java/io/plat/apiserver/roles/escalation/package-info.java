/**
 * Privilege escalation prevention (specification, "RBAC mode", 6): the writer of a role or binding must hold every permission in it, at
 * its scope, or the verb {@code escalate} or {@code bind}.
 *
 * <p>Rules: only permissions granted by role objects count, regardless of the authorizer, even if mode RBAC is off; the check applies to the
 * object as written; {@code system:masters} and the super user are exempt. May depend on {@code io.plat.apiserver.objects}, {@code
 * io.plat.apiserver.options}, {@code io.plat.engine.rbac} and its parts, and {@code io.plat.review}.
 */
@NullMarked
package io.plat.apiserver.roles.escalation;

import org.jspecify.annotations.NullMarked;
