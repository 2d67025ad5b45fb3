package io.plat.tests.modes;

import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.always.AlwaysDeny;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Policy of the servers.
 *
 * @param lines text of the policy file
 * @param manifests text of the role objects
 * @param superUser the super user, {@code ""} for none
 */
record Policy(String lines, String manifests, String superUser) {
    /** Role objects that let all users review their own rules, preceded by a separator. */
    static final String OWN_RULES = """

            ---
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"own-rules"},"rules":[{"verbs":["create"],"apiGroups":["authorization.k8s.io"],"resources":["selfsubjectrulesreviews"]}]}
            ---
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"own-rules"},"subjects":[{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:authenticated"},{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:unauthenticated"}],"roleRef":{"kind":"ClusterRole","apiGroup":"rbac.authorization.k8s.io","name":"own-rules"}}
            """;

    /** Returns the authorizer of a server with these modes and this policy. */
    Authorizer engine(List<String> modes) throws ProblemsException {
        List<Member> members = new ArrayList<>();
        for (String mode : modes) {
            members.add(new Member(mode, member(mode)));
        }
        UnionAuthorizer union = new UnionAuthorizer(members);
        return modes.equals(List.of(AlwaysDeny.MODE)) ? union : ExemptingAuthorizer.ofMasters(union);
    }

    private Authorizer member(String mode) throws ProblemsException {
        return switch (mode) {
            case AlwaysAllow.MODE -> new AlwaysAllow();
            case AlwaysDeny.MODE -> new AlwaysDeny();
            case AbacAuthorizer.MODE -> new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", lines)));
            case RbacAuthorizer.MODE -> {
                RbacManifestReader reader = new RbacManifestReader();
                reader.add("policy", manifests);
                yield RbacAuthorizer.of(RbacIndex.of(reader.finish().policy()), superUser);
            }
            default -> throw new IllegalArgumentException(mode);
        };
    }
}
