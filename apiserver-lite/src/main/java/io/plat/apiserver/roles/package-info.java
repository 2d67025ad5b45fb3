/**
 * Role objects of the store, compiled for mode RBAC as they change.
 *
 * <p>Rule: a write of a role object is acknowledged once it is in effect. A revocation that was acknowledged is effective. May depend on
 * {@code io.plat.apiserver.storage}, {@code io.plat.apiserver.operations} and {@code io.plat.engine.rbac}.
 */
@NullMarked
package io.plat.apiserver.roles;

import org.jspecify.annotations.NullMarked;
