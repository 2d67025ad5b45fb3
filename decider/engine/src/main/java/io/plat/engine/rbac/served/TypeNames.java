package io.plat.engine.rbac.served;

import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import io.plat.review.source.Quoted;

/** Names of the types in responses. */
final class TypeNames {
    /** The requested version, which every Kubernetes server has. */
    static final String API_VERSION = ApiGroups.RBAC + "/v1";

    private TypeNames() {}

    static String list(RbacKind kind) {
        return kind.kind() + "List";
    }

    /**
     * Rejects any other type.
     *
     * @param expected the expected kind
     */
    static void require(String expected, String apiVersion, String kind) throws MalformedRolesException {
        if (!apiVersion.equals(API_VERSION) || !kind.equals(expected)) {
            throw new MalformedRolesException("expected a " + expected + " of " + API_VERSION + ", found "
                    + Quoted.of(kind) + " of " + Quoted.of(apiVersion));
        }
    }
}
