package io.plat.engine.policy;

import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.Problem;
import java.util.List;

/**
 * The compiled part of the policy from files and flags.
 *
 * @param content the digest of the files
 * @param union the authorizer
 * @param roles the role objects of the files
 * @param warnings ignored parts, for a log
 */
record FilePolicy(String content, UnionAuthorizer union, RbacIndex roles, PolicySet.Size size, List<Problem> warnings) {
    FilePolicy {
        warnings = List.copyOf(warnings);
    }
}
