package io.plat.engine.whatif;

import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.union.CompositeAuthorizer;
import io.plat.engine.union.Member;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;

/**
 * Policies of an authorizer.
 *
 * @param lines policy files
 * @param roles role objects; bindings refer to roles of the same element only
 * @param unexplained authorizers whose policy is unknown here
 */
record EffectivePolicy(List<AbacPolicy> lines, List<RbacPolicy> roles, List<UnexplainedAuthorizer> unexplained) {
    EffectivePolicy {
        lines = List.copyOf(lines);
        roles = List.copyOf(roles);
        unexplained = List.copyOf(unexplained);
    }

    /** Returns the current policies of an authorizer. */
    static EffectivePolicy of(Authorizer authorizer) {
        List<AbacPolicy> lines = new ArrayList<>();
        List<RbacPolicy> roles = new ArrayList<>();
        List<UnexplainedAuthorizer> unexplained = new ArrayList<>();
        collect(new Member("the authorizer", authorizer), lines, roles, unexplained);
        return new EffectivePolicy(lines, roles, unexplained);
    }

    private static void collect(
            Member part, List<AbacPolicy> lines, List<RbacPolicy> roles, List<UnexplainedAuthorizer> unexplained) {
        if (part.authorizer() instanceof CompositeAuthorizer composed) {
            composed.parts().forEach(one -> collect(one, lines, roles, unexplained));
        } else if (part.authorizer() instanceof AbacAuthorizer abac) {
            lines.add(abac.policy());
        } else if (part.authorizer() instanceof RbacAuthorizer rbac) {
            roles.addAll(rbac.policies());
            if (!rbac.isLoaded()) {
                unexplained.add(new UnexplainedAuthorizer(part.name(), RbacAuthorizer.NOT_CURRENT));
            }
        } else if (!(part.authorizer() instanceof AlwaysDeny)) {
            unexplained.add(new UnexplainedAuthorizer(part.name(), "its policy is unknown here"));
        }
    }

    /** Returns the number of lines, roles and bindings. */
    long size() {
        return lines.stream().mapToLong(policy -> policy.lines().size()).sum()
                + roles.stream()
                        .mapToLong(policy ->
                                policy.roles().size() + policy.bindings().size())
                        .sum();
    }

    /** Returns the access that the policies grant. */
    PolicyAccess access(PolicyAccess.Vocabulary vocabulary) {
        PolicyAccess.Builder builder = new PolicyAccess.Builder(vocabulary);
        lines.forEach(builder::add);
        roles.forEach(builder::add);
        return builder.build();
    }
}
