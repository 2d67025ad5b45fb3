/**
 * Values of the RBAC mode: roles, bindings, and their validation (specification, "Role-based objects" and "RBAC mode").
 *
 * <p>The values have the content of objects, including invalid ones, and are independent of files and requests:
 * {@link io.plat.engine.rbac.RbacValidation} reports problems by field, for a reader of files and for a server that stores objects alike.
 * Deciding is the job of {@code io.plat.engine.rbac.index}, reading files that of {@code io.plat.engine.rbac.manifest}. May depend on
 * {@code io.plat.review} only.
 */
@NullMarked
package io.plat.engine.rbac;

import org.jspecify.annotations.NullMarked;
