package io.plat.engine.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.always.AlwaysAllow;
import io.plat.engine.explain.ExplainedDecision;
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
import io.plat.review.Attributes;
import io.plat.review.MatrixReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.ProblemsException;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Matrices, and their agreement with decisions and listings. */
class MatricesTest {
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{%s}}\n";

    private static final MatrixReview REVIEW = matrixReview("", 500);

    private static final MatrixReview ANYWHERE = new MatrixReview(
            ReviewVersion.K8S_V1,
            List.of(
                    new ResourceAttributes("", "", "", "", "pods", "", ""),
                    new ResourceAttributes("", "", "", "", "secrets", "", "")),
            List.of("get", "create"),
            true,
            "",
            500);

    private static MatrixReview matrixReview(String match, int limit) {
        return new MatrixReview(
                ReviewVersion.K8S_V1,
                List.of(
                        new ResourceAttributes("team-a", "", "", "", "pods", "", ""),
                        new ResourceAttributes("team-a", "", "", "", "secrets", "", ""),
                        new NonResourceAttributes("/metrics", "")),
                List.of("get", "create"),
                false,
                match,
                limit);
    }

    private static AbacAuthorizer lines(String... specs) throws ProblemsException {
        StringBuilder text = new StringBuilder();
        for (String spec : specs) {
            text.append(LINE.formatted(spec));
        }
        return new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", text.toString())));
    }

    private static RbacAuthorizer roles() {
        RbacRole reader = RbacRole.clusterRole(
                "reader", List.of(RbacRule.onResources(List.of("get"), List.of(""), List.of("pods"))));
        RbacBinding readers = RbacBinding.roleBinding(
                "team-a",
                "readers",
                RoleRef.clusterRole("reader"),
                List.of(RbacSubject.user("alice"), RbacSubject.serviceAccount("team-a", "ci")));
        RbacBinding accounts = RbacBinding.roleBinding(
                "team-a",
                "accounts",
                RoleRef.clusterRole("reader"),
                List.of(RbacSubject.group("system:serviceaccounts:team-b")));
        RbacBinding elsewhere = RbacBinding.roleBinding(
                "team-b", "others", RoleRef.clusterRole("reader"), List.of(RbacSubject.user("zoe")));
        return RbacAuthorizer.of(
                RbacIndex.of(new RbacPolicy(List.of(reader), List.of(readers, accounts, elsewhere))), "");
    }

    private static UnionAuthorizer union() throws ProblemsException {
        return new UnionAuthorizer(List.of(
                new Member(
                        "ABAC",
                        lines(
                                "\"user\":\"*\",\"nonResourcePath\":\"/metrics\",\"readonly\":true",
                                "\"user\":\"bob\",\"group\":\"devs\",\"namespace\":\"team-a\",\"resource\":\"secrets\"",
                                "\"group\":\"ops\",\"namespace\":\"*\",\"resource\":\"*\"")),
                new Member("RBAC", roles())));
    }

    private static List<String> rows(AccessMatrix matrix) {
        List<String> rows = new ArrayList<>();
        matrix.rows()
                .items()
                .forEach(row -> rows.add(row.subject().name() + row.subject().inGroup() + " " + row.allowed()));
        return rows;
    }

    @Test
    void anyNamespaceIncludesSubjectsThatAreAllowedInSomeOnly() throws Exception {
        AccessMatrix matrix = new Matrices().of(ANYWHERE, union());
        assertThat(rows(matrix))
                .containsExactly(
                        "ops {0, 1, 2, 3}",
                        "system:masters {0, 1, 2, 3}",
                        "system:serviceaccounts:team-b {0}",
                        "alice {0}",
                        "bobdevs {2, 3}",
                        "zoe {0}",
                        "ci {0}");
        assertThat(matrix.rows().items())
                .filteredOn(row -> row.subject().name().equals("zoe"))
                .singleElement()
                .satisfies(row -> assertThat(row.namespaces()).containsExactly(Map.entry(0, "team-b")));
        assertThat(matrix.rows().items())
                .filteredOn(row -> row.subject().name().equals("ops"))
                .singleElement()
                .satisfies(row -> assertThat(row.namespaces()).isEmpty());
    }

    @Test
    void namespacesThatTakeTooLongAreReported() throws Exception {
        AtomicLong now = new AtomicLong();
        AccessMatrix matrix =
                new Matrices(Duration.ofSeconds(10), () -> now.getAndAdd(100_000_000)).of(ANYWHERE, union());
        assertThat(matrix.unexplained()).isEmpty();
        AccessMatrix slow =
                new Matrices(Duration.ofSeconds(10), () -> now.getAndAdd(700_000_000)).of(ANYWHERE, union());
        assertThat(slow.unexplained())
                .singleElement()
                .satisfies(one -> assertThat(one.reason()).contains("namespaces, which takes too long"));
    }

    /** The same decisions by an authorizer that has to call a remote one: no cell is decided. */
    private record Far(UnionAuthorizer near) implements Authorizer, Explainer {
        @Override
        public Decision authorize(Attributes attributes) {
            throw new AssertionError("unexpected decision");
        }

        @Override
        public ExplainedDecision explain(Attributes attributes) {
            return near.explain(attributes);
        }

        @Override
        public SubjectListing subjects(AccessAttributes access) {
            return near.subjects(access);
        }

        @Override
        public RuleListing rules(UserInfo user, String namespace) {
            return near.rules(user, namespace);
        }
    }

    @Test
    void decisionsAndListingsAgree() throws Exception {
        AccessMatrix decided = new Matrices().of(REVIEW, union());
        // Bits: get and create of pods, of secrets, of /metrics.
        assertThat(rows(decided))
                .containsExactly(
                        "* {4}",
                        "ops {0, 1, 2, 3, 4}",
                        "system:masters {0, 1, 2, 3, 4, 5}",
                        "system:serviceaccounts:team-b {0, 4}",
                        "alice {0, 4}",
                        "bobdevs {2, 3, 4}",
                        "ci {0, 4}");
        assertThat(rows(new Matrices().of(REVIEW, new Far(union())))).isEqualTo(rows(decided));
    }

    @Test
    void subjectsWithoutAccessHaveNoRow() throws Exception {
        assertThat(rows(new Matrices().of(REVIEW, roles())))
                .containsExactly(
                        "system:masters {0, 1, 2, 3, 4, 5}",
                        "system:serviceaccounts:team-b {0}",
                        "alice {0}",
                        "ci {0}");
    }

    @Test
    void rowsAreLimitedAndFilteredByName() throws Exception {
        AccessMatrix first = new Matrices().of(matrixReview("", 2), roles());
        assertThat(first.rows().items()).hasSize(2);
        assertThat(first.rows().leftOut()).isPositive();
        AccessMatrix picked = new Matrices().of(matrixReview("TEAM-A:CI", 500), roles());
        assertThat(picked.rows().items())
                .extracting(AccessMatrix.Row::subject)
                .containsExactly(SubjectName.user("system:serviceaccount:team-a:ci"));
    }

    @Test
    void everybodyHasARowIfEverythingIsAllowed() throws Exception {
        assertThat(rows(new Matrices().of(REVIEW, new AlwaysAllow()))).containsExactly("* {0, 1, 2, 3, 4, 5}");
    }

    @Test
    void unknownGrantsAreReported() throws Exception {
        Authorizer silent = attributes -> new Decision.NoOpinion("no");
        AccessMatrix matrix = new Matrices().of(REVIEW, silent);
        assertThat(matrix.rows().items()).isEmpty();
        assertThat(matrix.unexplained()).hasSize(1);
    }

    @Test
    void anUndecidedRequestFailsTheMatrix() {
        RbacAuthorizer unloaded = new RbacAuthorizer(() -> null, "root");
        assertThatThrownBy(() -> new Matrices().of(REVIEW, unloaded))
                .isInstanceOf(StatusException.class)
                .hasMessageStartingWith("the matrix could not be computed, as a decision failed: ");
    }

    @Test
    void aTooSlowMatrixFails() {
        AtomicLong clock = new AtomicLong();
        Matrices slow = new Matrices(Duration.ofSeconds(1), () -> clock.addAndGet(400_000_000));
        assertThatThrownBy(() -> slow.of(REVIEW, roles()))
                .isInstanceOf(StatusException.class)
                .hasMessage("the matrix takes more than 1 s: request fewer resources or subjects");
        assertThatThrownBy(() -> slow.of(REVIEW, new Far(union()))).isInstanceOf(StatusException.class);
    }
}
