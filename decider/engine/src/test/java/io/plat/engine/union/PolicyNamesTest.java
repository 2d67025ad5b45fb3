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
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.ProblemsException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names in the policies of single modes and of a union. */
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
    void roleObjectsNameTheirSubjectsAndPrivilegedOnes() {
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
    void linesNameTheirSubjectsAndEverybody() throws ProblemsException {
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
        assertThat(ExemptingAuthorizer.ofMasters(new AlwaysAllow()).names().subjects())
                .containsExactly(SubjectName.group("system:masters"));
    }

    private static final ResourceAttributes GET_PODS = new ResourceAttributes("team-a", "get", "", "", "pods", "", "");

    private static RbacAuthorizer readers() {
        List<RbacRule> pods = List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of("pods")));
        return RbacAuthorizer.of(
                RbacIndex.of(new RbacPolicy(
                        List.of(
                                RbacRole.clusterRole("reader", pods),
                                RbacRole.clusterRole("none", List.of()),
                                RbacRole.role("team-a", "reader", pods)),
                        List.of(
                                RbacBinding.roleBinding(
                                        "team-a", "one", RoleRef.role("reader"), List.of(RbacSubject.user("alice"))),
                                RbacBinding.roleBinding(
                                        "team-b",
                                        "elsewhere",
                                        RoleRef.clusterRole("reader"),
                                        List.of(RbacSubject.user("bob"))),
                                RbacBinding.roleBinding(
                                        "team-a",
                                        "nothing",
                                        RoleRef.clusterRole("none"),
                                        List.of(RbacSubject.user("carol"))),
                                RbacBinding.clusterRoleBinding(
                                        "all", RoleRef.clusterRole("reader"), List.of(RbacSubject.group("devs")))))),
                "root");
    }

    @Test
    void holdersHaveAGrantOfAnAccess() throws ProblemsException {
        SubjectName devs = SubjectName.group("devs");
        SubjectName masters = SubjectName.group("system:masters");
        SubjectName root = SubjectName.user("root");
        assertThat(readers().holders(List.of(GET_PODS)))
                .containsExactly(devs, masters, SubjectName.user("alice"), root);
        ResourceAttributes inTeamB = new ResourceAttributes("team-b", "get", "", "", "pods", "", "");
        assertThat(readers().holders(List.of(GET_PODS, inTeamB)))
                .containsExactly(devs, masters, SubjectName.user("alice"), SubjectName.user("bob"), root);
        assertThat(readers().holders(List.of(new NonResourceAttributes("/metrics", "get"))))
                .containsExactly(masters, root);
        assertThat(readers().holders(List.of(new ResourceAttributes("", "get", "", "", "pods", "", ""))))
                .containsExactly(devs, masters, root);
        UnionAuthorizer union = new UnionAuthorizer(List.of(
                new Member(
                        "ABAC",
                        lines(
                                "\"user\":\"zoe\",\"namespace\":\"team-a\",\"resource\":\"pods\"",
                                "\"user\":\"yan\",\"namespace\":\"x\",\"resource\":\"pods\"",
                                "\"namespace\":\"*\",\"resource\":\"*\"")),
                new Member("RBAC", readers()),
                new Member("AlwaysAllow", new AlwaysAllow())));
        assertThat(union.holders(List.of(GET_PODS)))
                .containsExactly(devs, masters, SubjectName.user("alice"), root, SubjectName.user("zoe"));
        assertThat(ExemptingAuthorizer.ofMasters(union).holders(List.of(GET_PODS)))
                .isEqualTo(union.holders(List.of(GET_PODS)));
    }
}
