package io.plat.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.output.ProgressLine;
import io.plat.cli.request.ExplanationSource;
import io.plat.cli.server.DecodedResponse;
import io.plat.engine.Authorizer;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.explain.Explainer;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.AccessAttributes;
import io.plat.review.AccessReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.SubjectListing;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Cells decided separately equal those from subject listings. */
class TwoWaysPropertyTest {
    private static final List<String> NAMES = List.of("a", "b", "system:serviceaccount:n:s", "*");
    private static final List<String> GROUPS =
            List.of("g", "h", "system:authenticated", "system:unauthenticated", "system:serviceaccounts", "*");
    private static final List<AccessAttributes> COLUMNS = List.of(
            new ResourceAttributes("n", "", "", "", "pods", "", ""),
            new ResourceAttributes("", "", "apps", "", "deployments", "", ""),
            new NonResourceAttributes("/x", ""));
    private static final List<String> VERBS = List.of("get", "delete");

    @Property(tries = 400)
    void bothAlgorithmsGiveTheSameCells(@ForAll long seed) throws ProblemsException {
        Random random = new Random(seed);
        UnionAuthorizer union = new UnionAuthorizer(List.of(
                new Member("ABAC", new AbacAuthorizer(AbacIndex.of(AbacFile.parse("p", lines(random))))),
                new Member("RBAC", RbacAuthorizer.of(RbacIndex.of(roles(random)), "root"))));
        List<MatrixBuilder.MatrixSubject> rows =
                new ArrayList<>(List.of(MatrixBuilder.MatrixSubject.parse("*", List.of())));
        List.of(
                        "a",
                        "b",
                        "c",
                        "root",
                        "system:anonymous",
                        "system:serviceaccount:n:s",
                        "group:g",
                        "group:h",
                        "group:*",
                        "group:system:authenticated",
                        "group:system:unauthenticated",
                        "group:system:masters",
                        "user:*")
                .forEach(label -> rows.add(MatrixBuilder.MatrixSubject.parse(label, List.of())));
        MatrixBuilder.MatrixTable decided = make(rows, union, true);
        MatrixBuilder.MatrixTable listed = make(rows, union, false);
        assertThat(listed).isEqualTo(decided);
    }

    private static MatrixBuilder.MatrixTable make(
            List<MatrixBuilder.MatrixSubject> rows, UnionAuthorizer union, boolean engine) {
        return new MatrixBuilder(COLUMNS, VERBS, rows, 0)
                .build(new Listing(union, engine), total -> ProgressLine.begin("", total, null));
    }

    private static String pick(Random random, List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static String lines(Random random) {
        StringBuilder lines = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            lines.append("{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{");
            if (random.nextInt(3) > 0) {
                lines.append("\"user\":\"").append(pick(random, NAMES)).append("\",");
            }
            if (random.nextInt(3) > 0) {
                lines.append("\"group\":\"").append(pick(random, GROUPS)).append("\",");
            }
            lines.append(
                    random.nextBoolean()
                            ? "\"nonResourcePath\":\"*\","
                            : "\"namespace\":\"*\",\"apiGroup\":\"*\",\"resource\":\"*\",");
            lines.append("\"readonly\":").append(random.nextBoolean()).append("}}\n");
        }
        return lines.toString();
    }

    private static RbacPolicy roles(Random random) {
        List<RbacRole> roles = List.of(
                RbacRole.clusterRole(
                        "pods", List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of("pods")))),
                RbacRole.clusterRole("all", List.of(RbacRule.onResources(List.of("*"), List.of("*"), List.of("*")))),
                RbacRole.clusterRole("paths", List.of(RbacRule.onPaths(List.of("get"), List.of("/x")))));
        List<RbacBinding> bindings = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            RoleRef role = RoleRef.clusterRole(pick(random, List.of("pods", "all", "paths", "none")));
            List<RbacSubject> subjects = List.of(
                    random.nextBoolean()
                            ? RbacSubject.user(pick(random, NAMES))
                            : random.nextBoolean()
                                    ? RbacSubject.group(pick(random, GROUPS))
                                    : RbacSubject.serviceAccount("n", "s"));
            bindings.add(
                    random.nextBoolean()
                            ? RbacBinding.clusterRoleBinding("b" + i, role, subjects)
                            : RbacBinding.roleBinding("n", "b" + i, role, subjects));
        }
        return new RbacPolicy(roles, bindings);
    }

    /** A policy, presented as a server's listings or as an engine. */
    private record Listing(UnionAuthorizer union, boolean isEngine) implements ExplanationSource {
        @Override
        public DecodedResponse<Explanation> explain(AccessReview requested) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DecodedResponse<SubjectListing> subjects(AccessReview requested) {
            return new DecodedResponse<>(((Explainer) union).subjects(requested.access()), new byte[0]);
        }

        @Override
        public Optional<Authorizer> engine() {
            return isEngine ? Optional.of(union) : Optional.empty();
        }
    }
}
