/**
 * The mode RBAC as values: roles, bindings, and the rules for what is valid (specification, "Role-based objects" and "RBAC mode").
 *
 * <p>The values hold what an object says, also where that is wrong, and know nothing about files or requests: {@link
 * io.plat.engine.rbac.RbacValidation} names what is wrong by field, for a reader of files and for a server that stores objects
 * alike. Deciding is the job of {@code io.plat.engine.rbac.index}, reading files that of {@code io.plat.engine.rbac.manifest}.
 * May depend on {@code io.plat.review} only.
 */
@NullMarked
package io.plat.engine.rbac;

import org.jspecify.annotations.NullMarked;
