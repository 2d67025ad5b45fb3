package io.plat.engine.rbac.served;

import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import io.plat.review.source.Quoted;

/** What an answer calls its type. */
final class TypeNames {
    /** The version that is asked for, and that every server of the field has. */
    static final String API_VERSION = ApiGroups.RBAC + "/v1";

    private TypeNames() {}

    static String list(RbacKind kind) {
        return kind.kind() + "List";
    }

    /**
     * Refuses what is something else.
     *
     * @param expected the kind that was to come
     */
    static void require(String expected, String apiVersion, String kind) throws MalformedRolesException {
        if (!apiVersion.equals(API_VERSION) || !kind.equals(expected)) {
            throw new MalformedRolesException("expected a " + expected + " of " + API_VERSION + ", found "
                    + Quoted.of(kind) + " of " + Quoted.of(apiVersion));
        }
    }
}
