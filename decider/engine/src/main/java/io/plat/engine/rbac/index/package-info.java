/**
 * Decisions by role objects (specification, "RBAC mode").
 *
 * <p>A request is allowed if a binding grants a role to its user, or to one of the user's groups, and one rule of that role covers the request. A
 * ClusterRoleBinding applies everywhere; a RoleBinding applies to resources in its namespace only. A rule covers a resource if it has the verb,
 * the API group, the resource with its subresource and, where it is limited to names, the object's name; it covers a path if it has the verb and a
 * pattern of the path. A binding whose role does not exist grants nothing. An aggregating ClusterRole has the rules of the roles that it selects by
 * label instead of its own. There are no denials.
 *
 * <p>{@link io.plat.engine.rbac.index.RbacIndex} decides by lookups. Its terms:
 *
 * <ul>
 *   <li>a <em>subject entry</em> has the bindings of one user or group: cluster bindings, and others by namespace;
 *   <li>a <em>scope</em> has its roles in the cluster or in one namespace;
 *   <li>a <em>bound</em> is one subject of one binding, with the number of the role: a whole scope, or one of several in it;
 *   <li>a <em>role set</em> has the roles of a scope; larger ones are merged, and subjects with the same set share the merged permissions;
 *   <li>a <em>rule tree</em> finds the rule that covers a request among those of a role, or of a merged set.
 * </ul>
 *
 * <p>An index is immutable: a change of the policy makes a new index that shares unchanged parts, and readers see either the old or the new one.
 * Roles are referred to by number, so that changing a role touches none of its bindings. A decision takes no lock, scans neither bindings nor roles,
 * and costs the same for any number of them. Explanations scan all bindings instead. May depend on {@code io.plat.engine}, its lookup structures,
 * {@code io.plat.engine.rbac}, its manifests, and {@code io.plat.review}.
 */
@NullMarked
package io.plat.engine.rbac.index;

import org.jspecify.annotations.NullMarked;
