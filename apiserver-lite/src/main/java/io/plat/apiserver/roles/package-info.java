/**
 * The role objects of the store, compiled for mode RBAC as they change.
 *
 * <p>Rule: a write of a role object is answered once decisions are made by it. Whoever revokes a right and reads that it is
 * done can rely on it. May depend on {@code io.plat.apiserver.storage}, {@code io.plat.apiserver.operations} and
 * {@code io.plat.engine.rbac}.
 */
@NullMarked
package io.plat.apiserver.roles;

import org.jspecify.annotations.NullMarked;
