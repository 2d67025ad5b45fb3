package io.plat.apiserver.permission;

import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.options.RenewableCheck;
import io.plat.apiserver.options.WriteCheck;
import io.plat.engine.Authorizer;
import io.plat.review.UserInfo;

/** Permission checks that depend on the content of a write by a user; writes by the server itself need none. */
public record WritePermissions(Authorizer authorizer, ServedTypes types, ResourceOperations operations) {
    /**
     * Returns the check of all writes of a request.
     *
     * @param verb the verb of the request
     */
    public WriteCheck of(UserInfo user, String verb, WriteCheck roles) {
        WriteCheck check = (target, part, after, before) -> {
            var checks = new PermissionChecks(authorizer, user, System.nanoTime() + Call.CHECKS_LIMIT);
            new OwnerPermission(checks, types).admit(target, after, before);
            new SignerPermission(checks).admit(target, part, after, before);
            new ParameterPermission(checks, types, operations).admit(target, after, before);
            new ClaimPermission(checks, verb, types, operations).admit(target, part, after, before);
            roles.admit(target, part, after, before);
        };
        return new RenewableCheck(check, Call.RENEWED_AFTER, System::nanoTime);
    }
}
