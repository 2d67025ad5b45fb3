/**
 * The role objects that every server has, as existing servers do: made at the first start, made whole at each further one.
 *
 * <p>Rules: what is missing is added, what administrators added stays, and an object whose annotation {@code
 * rbac.authorization.kubernetes.io/autoupdate} is {@code false} is left alone. What they are is data ({@code
 * default-roles.json}). May depend on {@code io.plat.apiserver.operations}, {@code io.plat.engine.rbac} and its parts, and {@code
 * io.plat.review}.
 */
@NullMarked
package io.plat.apiserver.roles.bootstrap;

import org.jspecify.annotations.NullMarked;
