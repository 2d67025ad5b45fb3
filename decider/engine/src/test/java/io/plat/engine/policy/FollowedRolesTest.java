package io.plat.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.Changes;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Role objects of a server, in addition to policy files. */
final class FollowedRolesTest {
    private static final RbacRole VERSION =
            RbacRole.clusterRole("version", List.of(RbacRule.onPaths(List.of("get"), List.of("/version"))));
    private static final RbacBinding JANE = binding("jane", "version");

    private final CurrentRbac followed = new CurrentRbac();
    private final Path directory;
    private final LivePolicy policy;

    FollowedRolesTest(@TempDir Path directory) throws Exception {
        this.directory = directory;
        Files.writeString(directory.resolve("abac"), "{\"user\":\"ann\"}");
        Path roles = Files.writeString(directory.resolve("roles.yaml"), """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: ofTheFiles}
            rules: [{nonResourceURLs: [/version], verbs: [get]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: breakGlass}
            subjects: [{kind: User, name: glass}]
            roleRef: {kind: ClusterRole, name: ofTheFiles}
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: crossing}
            subjects: [{kind: User, name: crossing}]
            roleRef: {kind: ClusterRole, name: version}
            """);
        AuthorizationOptions options = new AuthorizationOptions(
                List.of("ABAC", "RBAC"),
                directory.resolve("abac"),
                List.of(roles),
                directory.resolve("conf"),
                "boss",
                null,
                false);
        policy = LivePolicy.start(
                PolicyLoader.of(options, Map.of(), InstantSource.system(), followed), new IgnoredReloads());
    }

    @Test
    void beforeTheFirstLoadOnlyFilesAllow() {
        for (String user : List.of("ann", "boss", "glass")) {
            assertThat(decide(user)).as(user).isInstanceOf(Decision.Allow.class);
        }
        assertThat(decide("jane"))
                .isInstanceOfSatisfying(
                        Decision.Undecided.class,
                        undecided -> assertThat(undecided.cause()).isEqualTo(Decision.Cause.NOT_LOADED));
        assertThat(policy.current().size()).isEqualTo(new PolicySet.Size(1, 1, 2));
    }

    @Test
    void eachChangeIsARevision() {
        List<String> revisions = new ArrayList<>();
        PolicySet empty = policy.current();
        try (LivePolicy.Subscription subscription = policy.subscribe(now -> revisions.add(now.revision()))) {
            assertThat(subscription).isNotNull();
            followed.replace(RbacIndex.EMPTY.with(Changes.of(List.of(VERSION, JANE), List.of())));
            assertThat(decide("jane")).as("not loaded yet").isInstanceOf(Decision.Undecided.class);
            policy.republish();
            PolicySet granting = policy.current();
            assertThat(decide("jane")).isInstanceOf(Decision.Allow.class);
            assertThat(granting.size()).isEqualTo(new PolicySet.Size(1, 2, 3));
            followed.change(Changes.of(List.of(), List.of(JANE.key())));
            policy.republish();
            assertThat(decide("jane")).isInstanceOf(Decision.NoOpinion.class);
            assertThat(granting.authorizer().authorize(request("jane")))
                    .as("an earlier state decides as before")
                    .isInstanceOf(Decision.Allow.class);
            assertThat(revisions)
                    .containsExactly(granting.revision(), policy.current().revision())
                    .doesNotContain(empty.revision())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void filesAndRolesChangeIndependently() throws Exception {
        followed.replace(RbacIndex.EMPTY.with(Changes.of(List.of(VERSION, JANE), List.of())));
        policy.republish();
        Files.writeString(directory.resolve("abac"), "{\"user\":\"joe\"}");
        policy.reload();
        assertThat(decide("jane")).isInstanceOf(Decision.Allow.class);
        assertThat(decide("joe")).isInstanceOf(Decision.Allow.class);
        assertThat(decide("ann")).isInstanceOf(Decision.NoOpinion.class);
        followed.change(Changes.of(List.of(), List.of(JANE.key())));
        policy.republish();
        assertThat(decide("jane")).isInstanceOf(Decision.NoOpinion.class);
        assertThat(decide("joe")).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void bindingsDoNotReferToRolesOfTheOtherSource() {
        followed.replace(
                RbacIndex.EMPTY.with(Changes.of(List.of(VERSION, binding("ofServer", "ofTheFiles")), List.of())));
        policy.republish();
        assertThat(decide("crossing")).isInstanceOf(Decision.NoOpinion.class);
        assertThat(decide("ofServer")).isInstanceOf(Decision.NoOpinion.class);
        assertThat(decide("glass")).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void revisionsOfTwoProcessesDiffer(@TempDir Path other) throws Exception {
        FollowedRolesTest second = new FollowedRolesTest(other);
        assertThat(second.policy.current().revision())
                .matches("[0-9a-f]{12}-[0-9a-f]{8}-1")
                .isNotEqualTo(policy.current().revision());
    }

    private Decision decide(String user) {
        return policy.authorize(request(user));
    }

    private static Attributes request(String user) {
        return new Attributes(new UserInfo(user, List.of()), new NonResourceAttributes("/version", "get"));
    }

    private static RbacBinding binding(String user, String role) {
        return RbacBinding.clusterRoleBinding(user, RoleRef.clusterRole(role), List.of(RbacSubject.user(user)));
    }

    private record IgnoredReloads() implements PolicyReloadListener {
        @Override
        public void reloaded(PolicySet before, PolicySet after) {}

        @Override
        public void rejected(PolicySet current, List<Problem> problems) {
            throw new AssertionError(problems);
        }

        @Override
        public void restored(PolicySet current) {}
    }
}
