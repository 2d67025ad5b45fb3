package io.plat.engine.policy;

import io.plat.engine.Authorizer;
import io.plat.review.source.Problem;
import java.time.Instant;
import java.util.List;

/**
 * One state of the policy, ready to decide.
 *
 * @param revision unique name of this state, also between two loads of one process
 * @param authorizer authorizer that decides by it
 * @param loadedAt when it was loaded
 * @param warnings ignored parts, for a log
 */
public record PolicySet(String revision, Authorizer authorizer, Size size, Instant loadedAt, List<Problem> warnings) {
    public PolicySet {
        warnings = List.copyOf(warnings);
    }

    /**
     * Size of a policy, for metrics.
     *
     * @param abacLines lines of the ABAC policy file
     * @param roles roles and cluster roles
     * @param bindings role bindings and cluster role bindings
     */
    public record Size(int abacLines, int roles, int bindings) {
        Size plus(int moreRoles, int moreBindings) {
            return new Size(abacLines, roles + moreRoles, bindings + moreBindings);
        }
    }
}
