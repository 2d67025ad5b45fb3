package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.RoleWriteCheck;
import io.plat.apiserver.type.Target;
import io.plat.engine.Authorizer;
import io.plat.engine.rbac.RbacObject;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import org.jspecify.annotations.Nullable;

/**
 * Permission checks that depend on the content of a write by a user; writes by the server itself need none.
 *
 * @param authorizer authorizer of requests
 * @param types resolves the kinds of owners and of parameters
 * @param operations reads related objects
 */
public record WritePermissions(Authorizer authorizer, ServedTypes types, ResourceOperations operations) {
    /**
     * Returns the check of all writes of a user.
     *
     * @param roles check of role objects
     */
    public RoleWriteCheck of(UserInfo user, RoleWriteCheck roles) {
        var checks = new PermissionChecks(authorizer, user);
        return new RoleWriteCheck() {
            @Override
            public void admit(Target target, RbacObject after, @Nullable RbacObject before) throws StatusException {
                roles.admit(target, after, before);
            }

            @Override
            public void admitContent(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
                    throws StatusException {
                new OwnerPermission(checks, types).admit(target, after, before);
                new SignerPermission(checks).admit(target, part, after, before);
                new ParameterPermission(checks, types, operations).admit(target, after, before);
            }
        };
    }
}
