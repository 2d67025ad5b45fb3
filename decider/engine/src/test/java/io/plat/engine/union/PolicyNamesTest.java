package io.plat.engine.union;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.explain.PolicyNames;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.ProblemsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom and where a policy names, mode by mode and together. */
class PolicyNamesTest {
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{%s}}\n";

    private static AbacAuthorizer lines(String... specs) throws ProblemsException {
        StringBuilder text = new StringBuilder();
        for (String spec : specs) {
            text.append(LINE.formatted(spec));
        }
        return new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", text.toString())));
    }

    private static RbacAuthorizer roles(String superUser) {
        RoleRef known = RoleRef.clusterRole("known");
        return RbacAuthorizer.of(
                RbacIndex.of(new RbacPolicy(
                        List.of(RbacRole.clusterRole("known", List.of())),
                        List.of(
                                RbacBinding.roleBinding(
                                        "team-a",
                                        "one",
                                        known,
                                        List.of(RbacSubject.user("alice"), RbacSubject.serviceAccount("", "ci"))),
                                RbacBinding.clusterRoleBinding("two", known, List.of(RbacSubject.group("devs"))),
                                RbacBinding.roleBinding(
                                        "team-b",
                                        "dangling",
                                        RoleRef.role("absent"),
                                        List.of(RbacSubject.user("bob")))))),
                superUser);
    }

    @Test
    void roleObjectsNameWhomTheyBindAndThoseWhoPassBesides() {
        PolicyNames names = roles("root").names();
        assertThat(names.subjects())
                .containsExactly(
                        SubjectName.group("devs"),
                        SubjectName.group("system:masters"),
                        SubjectName.user("alice"),
                        SubjectName.user("root"),
                        SubjectName.user("system:serviceaccount:team-a:ci"));
        assertThat(names.namespaces()).containsExactly("team-a");
        assertThat(roles("").names().subjects()).doesNotContain(SubjectName.user("root"));
    }

    @Test
    void linesNameWhoIsInThemAndEverybody() throws ProblemsException {
        PolicyNames names = lines(
                        "\"user\":\"alice\",\"group\":\"devs\",\"namespace\":\"x\",\"resource\":\"pods\"",
                        "\"user\":\"*\",\"namespace\":\"*\",\"resource\":\"pods\"",
                        "\"namespace\":\"y\",\"resource\":\"pods\"",
                        "\"group\":\"ops\",\"nonResourcePath\":\"/x\"")
                .names();
        assertThat(names.subjects())
                .containsExactly(SubjectName.EVERYBODY, SubjectName.group("ops"), SubjectName.user("alice", "devs"));
        assertThat(names.namespaces()).containsExactly("x");
    }

    @Test
    void aUnionNamesWhatItsMembersName() throws ProblemsException {
        UnionAuthorizer union = new UnionAuthorizer(List.of(
                new Member("ABAC", lines("\"user\":\"zoe\",\"namespace\":\"x\",\"resource\":\"pods\"")),
                new Member("RBAC", roles("")),
                new Member("AlwaysAllow", new AlwaysAllow())));
        assertThat(union.names().namespaces()).containsExactly("team-a", "x");
        assertThat(union.names().subjects()).contains(SubjectName.user("zoe"), SubjectName.user("alice"));
        assertThat(new MastersFirst(new AlwaysAllow()).names().subjects())
                .containsExactly(SubjectName.group("system:masters"));
    }
}
