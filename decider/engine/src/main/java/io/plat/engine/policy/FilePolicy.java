package io.plat.engine.policy;

import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.Problem;
import java.util.List;

/**
 * The part of the policy that files and flags make, compiled.
 *
 * @param content names what the files hold
 * @param union decides by it
 * @param roles the role objects of the files
 * @param size how much there is of it
 * @param warnings what was left out, for a log
 */
record FilePolicy(String content, UnionAuthorizer union, RbacIndex roles, PolicySet.Size size, List<Problem> warnings) {
    FilePolicy {
        warnings = List.copyOf(warnings);
    }
}
