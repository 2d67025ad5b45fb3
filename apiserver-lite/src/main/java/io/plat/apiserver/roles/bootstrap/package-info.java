/**
 * Default role objects, as in kube-apiserver: created at the first start, completed at each later one.
 *
 * <p>Rules: missing parts are added, additions by administrators stay, and an object whose annotation {@code
 * rbac.authorization.kubernetes.io/autoupdate} is {@code false} is not changed. The objects are data of {@code
 * io.plat.engine.rbac.defaults}. May depend on {@code io.plat.apiserver.operations}, {@code io.plat.apiserver.stored}, {@code
 * io.plat.engine.rbac} and its parts, and {@code io.plat.review}.
 */
@NullMarked
package io.plat.apiserver.roles.bootstrap;

import org.jspecify.annotations.NullMarked;
