package io.plat.engine.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.Location;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RbacGrantTest {
    private static final RbacRule RULE = RbacRule.onResources(List.of("get"), List.of(""), List.of("pods"));

    @Test
    void aServiceAccountIsNamedAsInKubernetes() {
        RbacSubject robot = RbacSubject.serviceAccount("", "robot");
        RbacGrant grant = new RbacGrant(
                RbacBinding.roleBinding("a", "b", RoleRef.clusterRole("r"), List.of(robot)),
                robot,
                RbacRole.clusterRole("r", List.of(RULE)),
                RULE);
        assertThat(grant.authorizer()).isEqualTo("RBAC");
        assertThat(grant.source()).isEqualTo("RoleBinding/a/b");
        assertThat(grant.rule()).isEqualTo("{\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}");
        assertThat(grant.reason())
                .isEqualTo("RBAC: allowed by RoleBinding \"b/a\" of ClusterRole \"r\" to ServiceAccount \"robot/a\" by"
                        + " rule " + grant.rule() + " of ClusterRole/r");
    }

    @Test
    void objectsOfFilesAreNamedByLocation() {
        RbacRule rule = new RbacRule(
                List.of("get"), List.of(), List.of(), List.of(), List.of("/version"), new Location("roles.yaml", 9));
        RbacBinding binding = new RbacBinding(
                new ObjectKey(RbacKind.CLUSTER_ROLE_BINDING, "", "b"),
                List.of(RbacSubject.group("g")),
                RoleRef.clusterRole("r"),
                new Location("bindings.yaml", 3));
        RbacGrant grant =
                new RbacGrant(binding, RbacSubject.group("g"), RbacRole.clusterRole("r", List.of(rule)), rule);
        assertThat(grant.source()).isEqualTo("bindings.yaml:3");
        assertThat(grant.reason())
                .isEqualTo("RBAC: allowed by ClusterRoleBinding \"b\" of ClusterRole \"r\" to Group \"g\" by rule"
                        + " {\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/version\"]} of roles.yaml:9");
    }

    @Test
    void namesCannotBreakTheLine() {
        RbacRule rule = RbacRule.onPaths(List.of("get"), List.of("/a\"\n\\b\u2028\u0007"));
        assertThat(rule.toString())
                .isEqualTo("{\"verbs\":[\"get\"],\"nonResourceURLs\":[\"/a\\\"\\u000a\\\\b\\u2028\\u0007\"]}");
    }

    @Test
    void aLongRuleIsTruncatedInTheReason() {
        RbacRule rule = RbacRule.onResources(List.of("get"), List.of(""), Collections.nCopies(500, "resource"));
        RbacSubject jane = RbacSubject.user("jane");
        RbacGrant grant = new RbacGrant(
                RbacBinding.clusterRoleBinding("b", RoleRef.clusterRole("r"), List.of(jane)),
                jane,
                RbacRole.clusterRole("r", List.of(rule)),
                rule);
        assertThat(grant.reason()).hasSizeLessThan(1_200).contains("…").endsWith(" of ClusterRole/r");
        assertThat(grant.rule()).hasSizeGreaterThan(4_000);
    }
}
