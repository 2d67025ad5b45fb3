/**
 * Role objects of the store: compiled for mode RBAC as they change, aggregated for readers, created by default as in kube-apiserver, and
 * protected from privilege escalation (specification, "RBAC mode", 6).
 *
 * <ul>
 *   <li>A write of a role object is acknowledged once it is in effect. A revocation that was acknowledged is effective.
 *   <li>Decisions are made by the index, which aggregates immediately; the stored rules of an aggregating role follow within milliseconds,
 *       are managed by the server, and are written only on changes.
 *   <li>Default objects are completed at each start: missing parts are added, additions by administrators stay, and an object whose
 *       annotation {@code rbac.authorization.kubernetes.io/autoupdate} is {@code false} is not changed.
 *   <li>The writer of a role or binding must hold every permission in it, at its scope, or the verb {@code escalate} or {@code bind}. Only
 *       permissions granted by role objects count, regardless of the authorizer, even if mode RBAC is off; the check applies to the object
 *       as written; {@code system:masters} and the super user are exempt.
 * </ul>
 *
 * <p>May depend on {@code io.plat.apiserver.operations} and its dependencies, and on {@code io.plat.engine.rbac} and its parts.
 */
@NullMarked
package io.plat.apiserver.roles;

import org.jspecify.annotations.NullMarked;
