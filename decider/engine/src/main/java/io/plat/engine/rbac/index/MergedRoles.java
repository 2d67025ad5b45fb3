package io.plat.engine.rbac.index;

/**
 * The permissions of several roles as one set.
 *
 * @param roles which ones
 * @param permissions what they permit together
 * @param users how many scopes use it; without any it is dropped
 */
record MergedRoles(RoleSet roles, PermissionSet permissions, int users) {}
