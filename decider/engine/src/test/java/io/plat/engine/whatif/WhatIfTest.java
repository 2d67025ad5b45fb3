package io.plat.engine.whatif;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.ManifestText;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.union.ExemptingAuthorizer;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.ChangeReview;
import io.plat.review.PolicyTextReview;
import io.plat.review.ReviewVersion;
import io.plat.review.source.ProblemsException;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Grants and revocations of edits, their problems, and the initial text. */
class WhatIfTest {
    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"bob\",\"namespace\":\"team-a\",\"resource\":\"pods\",\"readonly\":true}}\n";
    private static final String ROLES = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: reader, namespace: team-a, labels: {a: "1"}}
        rules:
        - {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
        - {apiGroups: ["apps"], resources: ["*"], resourceNames: ["yes", web], verbs: ["*"]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: gathers}
        aggregationRule:
          clusterRoleSelectors:
          - {matchLabels: {b: "2"}, matchExpressions: [{key: c, operator: In, values: [d]}]}
        rules: []
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: metrics}
        rules: [{nonResourceURLs: ["/metrics", "/healthz/*"], verbs: [get]}]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: readers, namespace: team-a}
        subjects:
        - {kind: User, name: "alice: 1", apiGroup: rbac.authorization.k8s.io}
        - {kind: ServiceAccount, name: ci}
        roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
        """;

    private static RbacPolicy roles(String text) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("roles", text);
        return reader.finish().policy();
    }

    private static Authorizer policy() throws ProblemsException {
        return ExemptingAuthorizer.ofMasters(new UnionAuthorizer(List.of(
                new Member("ABAC", new AbacAuthorizer(AbacIndex.of(AbacFile.parse("lines", LINE)))),
                new Member("RBAC", RbacAuthorizer.of(RbacIndex.of(roles(ROLES)), "")))));
    }

    private static String change(Authorizer now, @Nullable String manifests, boolean whole, @Nullable String lines)
            throws StatusException {
        return new String(
                ChangePreview.of(new ChangeReview(ReviewVersion.K8S_V1, manifests, whole, lines), now), UTF_8);
    }

    private static String text(Authorizer now, String match) {
        return new String(PolicyTexts.of(new PolicyTextReview(ReviewVersion.K8S_V1, match), now), UTF_8);
    }

    @Test
    void objectsOfTheSameNameAreReplaced() throws Exception {
        String role = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader, namespace: team-a}
            rules:
            - {apiGroups: [""], resources: [pods, secrets], verbs: [get]}
            """;
        assertThat(change(policy(), role, false, null))
                .contains(
                        "\"granted\":[{\"subject\":{\"kind\":\"User\",\"name\":\"alice: 1\"},\"text\":\"get secrets in"
                                + " team-a\"")
                .contains("\"text\":\"list pods in team-a\"")
                .contains("\"name\":\"ci\",\"namespace\":\"team-a\"")
                .doesNotContain("bob", "metrics", "unexplained");
    }

    @Test
    void newObjectsAreAdded() throws Exception {
        String binding = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: scrapers}
            subjects: [{kind: Group, name: scrapers, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: ClusterRole, name: metrics, apiGroup: rbac.authorization.k8s.io}
            """;
        assertThat(change(policy(), binding, false, null))
                .contains("\"granted\":[{\"subject\":{\"kind\":\"Group\",\"name\":\"scrapers\"}")
                .contains("\"revoked\":[]");
    }

    @Test
    void aWholeTextReplacesEverything() throws Exception {
        assertThat(change(policy(), "", true, null))
                .contains("\"granted\":[],\"revoked\":[{")
                .contains("alice: 1")
                .doesNotContain("bob");
    }

    @Test
    void linesReplaceTheWholeFile() throws Exception {
        assertThat(change(policy(), null, false, LINE.replace("bob", "zoe")))
                .contains("\"granted\":[{\"subject\":{\"kind\":\"User\",\"name\":\"zoe\"}")
                .contains("\"revoked\":[{\"subject\":{\"kind\":\"User\",\"name\":\"bob\"}");
    }

    @Test
    void theCurrentTextChangesNothing() throws Exception {
        StringBuilder manifests = new StringBuilder();
        RbacPolicy now = roles(ROLES);
        now.roles().forEach(role -> manifests.append("---\n").append(ManifestText.of(role)));
        now.bindings().forEach(binding -> manifests.append("---\n").append(ManifestText.of(binding)));
        RbacPolicy again = roles(manifests.toString());
        assertThat(again.bindings().toString())
                .isEqualTo(withoutPlaces(
                        now.bindings().toString(), again.bindings().toString()));
        assertThat(change(policy(), manifests.toString(), true, LINE)).contains("\"granted\":[],\"revoked\":[]");
        assertThat(again.roles()).hasSameSizeAs(now.roles());
        for (int i = 0; i < again.roles().size(); i++) {
            assertThat(again.roles().get(i).labels())
                    .isEqualTo(now.roles().get(i).labels());
            assertThat(again.roles().get(i).aggregation())
                    .isEqualTo(now.roles().get(i).aggregation());
            assertThat(again.roles().get(i).rules().toString())
                    .isEqualTo(now.roles().get(i).rules().toString());
        }
    }

    /** Lines of the files differ, as they may. */
    private static String withoutPlaces(String expected, String found) {
        String places = "where=[^,\\]]*";
        return expected.replaceAll(places, "").equals(found.replaceAll(places, "")) ? found : expected;
    }

    @Test
    void everyProblemIsReportedWithItsLocation() throws Exception {
        Authorizer now = policy();
        assertThatThrownBy(() -> change(now, "kind: Role\nfoo: [", false, null))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(422);
                    assertThat(e.status().message()).startsWith("manifests:");
                });
        String lines = "{\"x\":1}\n" + LINE + "nonsense\n";
        assertThatThrownBy(() -> change(now, null, false, lines)).isInstanceOfSatisfying(StatusException.class, e -> {
            Status.Details details = e.status().details();
            assertThat(details).isNotNull();
            assertThat(details.causes())
                    .extracting(Status.Cause::message)
                    .anyMatch(message -> message.startsWith("lines:1"))
                    .anyMatch(message -> message.startsWith("lines:3"));
        });
    }

    @Test
    void unusedModesAreNotEdited() throws Exception {
        Authorizer onlyLines = new AbacAuthorizer(AbacIndex.of(AbacFile.parse("lines", LINE)));
        assertThatThrownBy(() -> change(onlyLines, ROLES, false, null))
                .hasMessageContaining("mode RBAC does not decide here");
        Authorizer silent = attributes -> new Decision.NoOpinion("");
        assertThatThrownBy(() -> change(silent, null, false, LINE))
                .hasMessageContaining("mode ABAC does not decide here");
        assertThat(text(silent, ""))
                .contains("\"unexplained\":[{\"authorizer\":\"the authorizer\"")
                .doesNotContain("manifests", "lines");
    }

    @Test
    void thePolicyInEffectIsReturned() throws Exception {
        assertThat(text(policy(), ""))
                .contains("kind: ClusterRole\\nmetadata:\\n  name: gathers\\n")
                .contains("resourceNames: [\\\"yes\\\", web]")
                .contains("\"lines\":\"{\\\"apiVersion\\\"");
        assertThat(text(policy(), "scraper")).contains("\"manifests\":\"\",\"lines\":\"\"");
        assertThat(text(policy(), "METRICS")).contains("/metrics").doesNotContain("alice");
    }

    @Test
    void aLargePolicyIsTruncated() throws Exception {
        String lines = LINE.repeat(PolicyTexts.MAX_CHARACTERS / LINE.length() + 3);
        Authorizer large = new AbacAuthorizer(AbacIndex.of(AbacFile.parse("lines", lines)));
        assertThat(text(large, "")).contains("\"linesLeftOut\":").hasSizeLessThan(2 * PolicyTexts.MAX_CHARACTERS);
    }

    @Test
    void anUnloadedPolicyIsReported() throws Exception {
        assertThat(text(new RbacAuthorizer(() -> null, ""), "")).contains("authorization data is not current");
    }
}
