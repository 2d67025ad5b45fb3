package io.plat.engine.rbac.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Changes of the index. The reference model and the case tables test its decisions. */
final class RbacIndexTest {
    private static final RbacRole READER = RbacRole.role("a", "reader", List.of(rule("get", "pods")));
    private static final RbacBinding JANE =
            RbacBinding.roleBinding("a", "jane", RoleRef.role("reader"), List.of(RbacSubject.user("jane")));

    @Test
    void aBindingMayComeBeforeItsRole() {
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(List.of(JANE), List.of()));
        assertThat(allows(index, "jane", "get", "pods")).isFalse();
        index = index.with(Changes.of(List.of(READER), List.of()));
        assertThat(allows(index, "jane", "get", "pods")).isTrue();
        index = index.with(Changes.of(List.of(), List.of(READER.key())));
        assertThat(allows(index, "jane", "get", "pods")).isFalse();
        assertThat(index.policy()).isEqualTo(new RbacPolicy(List.of(), List.of(JANE)));
    }

    @Test
    void aChangedRoleDecidesForEveryBinding() {
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(JANE)));
        RbacIndex changed = index.with(Changes.of(
                List.of(RbacRole.role("a", "reader", List.of(rule("get", "secrets")))), List.of()));
        assertThat(allows(changed, "jane", "get", "pods")).isFalse();
        assertThat(allows(changed, "jane", "get", "secrets")).isTrue();
        assertThat(allows(index, "jane", "get", "pods"))
                .as("the earlier index stays as it was")
                .isTrue();
    }

    @Test
    void aChangedBindingIsRemovedFromItsOldSubjects() {
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(JANE)));
        RbacBinding joe = new RbacBinding(JANE.key(), List.of(RbacSubject.user("joe")), JANE.roleRef(), null);
        RbacIndex changed = index.with(Changes.of(List.of(joe), List.of()));
        assertThat(allows(changed, "jane", "get", "pods")).isFalse();
        assertThat(allows(changed, "joe", "get", "pods")).isTrue();
        assertThat(changed.bindings()).isEqualTo(1);
        assertThat(allows(changed.with(Changes.of(List.of(), List.of(joe.key()))), "joe", "get", "pods"))
                .isFalse();
    }

    @Test
    void unaffectedSubjectsOfAChangedBindingAreShared() {
        List<RbacSubject> many = new ArrayList<>(IntStream.range(0, 1000)
                .mapToObj(i -> RbacSubject.user("u" + i))
                .toList());
        RbacBinding binding = new RbacBinding(JANE.key(), many, JANE.roleRef(), null);
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(binding)));
        many.set(0, RbacSubject.user("joe"));
        RbacIndex changed =
                index.with(Changes.of(List.of(new RbacBinding(JANE.key(), many, JANE.roleRef(), null)), List.of()));
        assertThat(allows(changed, "u0", "get", "pods")).isFalse();
        assertThat(allows(changed, "joe", "get", "pods")).isTrue();
        RbacBinding kept = binding(index, "u1");
        assertThat(binding(changed, "u1")).isSameAs(kept);
        assertThat(kept.subjects()).as("no old binding is kept in memory").isEmpty();
        RbacBinding other = new RbacBinding(JANE.key(), many, RoleRef.clusterRole("none"), null);
        assertThat(allows(changed.with(Changes.of(List.of(other), List.of())), "u1", "get", "pods"))
                .as("the binding of another role")
                .isFalse();
    }

    private static RbacBinding binding(RbacIndex index, String user) {
        Decision.Allow allow = Objects.requireNonNull(index.find(request(user, "get", "pods")));
        return ((RbacGrant) allow.grant()).binding();
    }

    @Test
    void removingAnUnknownObjectHasNoEffect() {
        ObjectKey nothing = new ObjectKey(RbacKind.ROLE, "a", "nothing");
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(JANE)));
        assertThat(allows(index.with(Changes.of(List.of(), List.of(nothing))), "jane", "get", "pods"))
                .isTrue();
    }

    /** From one role to many and back, to cover every form of a scope in both directions. */
    @Test
    void rolesOfASubjectAreAddedAndRemoved() {
        int many = 12;
        List<RbacObject> roles = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            roles.add(RbacRole.role("a", "r" + i, List.of(rule("get", "kind" + i), rule("list", "shared"))));
        }
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(roles, List.of()));
        for (int i = 0; i < many; i++) {
            index = index.with(Changes.of(List.of(binding("b" + i, "r" + i)), List.of()));
            assertThat(granted(index, many)).containsExactlyElementsOf(range(0, i + 1));
        }
        for (int i = 0; i < many; i++) {
            index = index.with(
                    Changes.of(List.of(), List.of(binding("b" + i, "r" + i).key())));
            assertThat(granted(index, many)).containsExactlyElementsOf(range(i + 1, many));
            assertThat(allows(index, "jane", "list", "shared")).isEqualTo(i + 1 < many);
        }
        assertThat(index.bindings()).isZero();
    }

    @Test
    void aRoleWithinAMergedSetChanges() {
        RbacIndex index = manyRoles(10);
        assertThat(allows(index, "jane", "get", "kind3")).isTrue();
        RbacIndex changed =
                index.with(Changes.of(List.of(RbacRole.role("a", "r3", List.of(rule("get", "other")))), List.of()));
        assertThat(allows(changed, "jane", "get", "kind3")).isFalse();
        assertThat(allows(changed, "jane", "get", "other")).isTrue();
        RbacIndex gone = changed.with(Changes.of(List.of(), List.of(new ObjectKey(RbacKind.ROLE, "a", "r3"))));
        assertThat(allows(gone, "jane", "get", "other")).isFalse();
        assertThat(allows(gone, "jane", "get", "kind4")).isTrue();
        assertThat(allows(index, "jane", "get", "kind3")).isTrue();
    }

    @Test
    void theGrantOfAMergedSetHasItsBinding() {
        Decision.Allow allow = manyRoles(10).find(request("jane", "get", "kind7"));
        assertThat(allow).isNotNull();
        assertThat(allow.grant()).isInstanceOfSatisfying(RbacGrant.class, grant -> {
            assertThat(grant.binding().key().name()).isEqualTo("b7");
            assertThat(grant.role().key().name()).isEqualTo("r7");
        });
        assertThat(allow.reason())
                .isEqualTo("RBAC: allowed by RoleBinding \"b7/a\" of Role \"r7\" to User \"jane\" by rule"
                        + " {\"verbs\":[\"get\"],\"apiGroups\":[\"\"],\"resources\":[\"kind7\"]} of Role/a/r7");
    }

    @Test
    void anAggregatingRoleFollowsItsSelectedRoles() {
        RbacRole all = aggregating("all", "part");
        RbacBinding binding =
                RbacBinding.clusterRoleBinding("all", RoleRef.clusterRole("all"), List.of(RbacSubject.user("jane")));
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(List.of(all, binding), List.of()));
        assertThat(allows(index, "jane", "get", "pods")).isFalse();
        index = index.with(Changes.of(List.of(labelled("one", "part", rule("get", "pods"))), List.of()));
        assertThat(allows(index, "jane", "get", "pods")).isTrue();
        RbacIndex relabelled =
                index.with(Changes.of(List.of(labelled("one", "elsewhere", rule("get", "pods"))), List.of()));
        assertThat(allows(relabelled, "jane", "get", "pods")).isFalse();
        RbacIndex removed = index.with(Changes.of(List.of(), List.of(new ObjectKey(RbacKind.CLUSTER_ROLE, "", "one"))));
        assertThat(allows(removed, "jane", "get", "pods")).isFalse();
        RbacIndex ownRules =
                index.with(Changes.of(List.of(RbacRole.clusterRole("all", List.of(rule("get", "nodes")))), List.of()));
        assertThat(allows(ownRules, "jane", "get", "pods")).isFalse();
        assertThat(allows(ownRules, "jane", "get", "nodes")).isTrue();
    }

    @Test
    void aggregationCyclesTerminate() {
        RbacRole first = aggregatingLabelled("first", "x", "y");
        RbacRole second = aggregatingLabelled("second", "y", "x");
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(
                List.of(
                        first,
                        second,
                        labelled("leaf", "x", rule("get", "pods")),
                        RbacBinding.clusterRoleBinding(
                                "b", RoleRef.clusterRole("second"), List.of(RbacSubject.user("jane")))),
                List.of()));
        assertThat(allows(index, "jane", "get", "pods")).isTrue();
    }

    @Test
    void manyRemovedRolesReleaseMemory() {
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(JANE)));
        for (int i = 0; i < 50; i++) {
            List<RbacRole> roles = IntStream.range(i * 200, i * 200 + 200)
                    .mapToObj(n -> RbacRole.clusterRole("passing" + n, List.of(rule("get", "x"))))
                    .toList();
            index = index.with(Changes.of(roles, List.of()))
                    .with(Changes.of(
                            List.of(), roles.stream().map(RbacRole::key).toList()));
        }
        assertThat(allows(index, "jane", "get", "pods")).isTrue();
        assertThat(index.policy()).isEqualTo(new RbacPolicy(List.of(READER), List.of(JANE)));
        assertThat(index.rolesKnown()).isLessThan(8_000);
    }

    @Test
    void rolesAreCounted() {
        RbacRole other = RbacRole.clusterRole("other", List.of());
        RbacIndex index = RbacIndex.of(new RbacPolicy(List.of(READER), List.of(JANE)));
        assertThat(index.roles()).isEqualTo(1);
        assertThat(index.with(Changes.of(List.of(READER, other), List.of())).roles())
                .isEqualTo(2);
        RbacIndex without = index.with(Changes.of(List.of(), List.of(READER.key(), other.key())));
        assertThat(without.roles()).isZero();
        assertThat(without.with(Changes.of(List.of(READER), List.of())).roles()).isEqualTo(1);
    }

    @Test
    void mastersAndTheSuperUserAreAllowedBeforeTheFirstLoad() {
        CurrentRbac current = new CurrentRbac();
        RbacAuthorizer authorizer = new RbacAuthorizer(current, "boss");
        Attributes boss = request("boss", "get", "pods");
        Attributes master = new Attributes(new UserInfo("x", List.of("system:masters")), boss.access());
        Attributes path = new Attributes(master.user(), new NonResourceAttributes("/metrics", "get"));
        assertThat(authorizer.authorize(boss)).isInstanceOf(Decision.Allow.class);
        assertThat(authorizer.authorize(master)).isInstanceOf(Decision.Allow.class);
        assertThat(authorizer.authorize(path)).isInstanceOf(Decision.Allow.class);
        assertThat(authorizer.authorize(request("jane", "get", "pods")))
                .isInstanceOfSatisfying(
                        Decision.Undecided.class,
                        undecided -> assertThat(undecided.cause()).isEqualTo(Decision.Cause.NOT_LOADED));
        current.replace(RbacIndex.EMPTY);
        assertThat(authorizer.authorize(request("jane", "get", "pods"))).isInstanceOf(Decision.NoOpinion.class);
        current.change(Changes.of(List.of(READER, JANE), List.of()));
        assertThat(authorizer.authorize(request("jane", "get", "pods"))).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void anEmptyNameIsNoSuperUser() {
        RbacAuthorizer authorizer = RbacAuthorizer.of(RbacIndex.EMPTY, "");
        assertThat(authorizer.authorize(request("", "get", "pods"))).isInstanceOf(Decision.NoOpinion.class);
    }

    private static RbacRole labelled(String name, String label, RbacRule rule) {
        return new RbacRole(
                new ObjectKey(RbacKind.CLUSTER_ROLE, "", name), Map.of(label, "yes"), List.of(rule), null, null);
    }

    private static RbacRole aggregating(String name, String picks) {
        return aggregatingLabelled(name, "none", picks);
    }

    private static RbacRole aggregatingLabelled(String name, String label, String picks) {
        return new RbacRole(
                new ObjectKey(RbacKind.CLUSTER_ROLE, "", name),
                Map.of(label, "yes"),
                List.of(),
                List.of(new ClusterRoleSelector(Map.of(picks, "yes"), List.of())),
                null);
    }

    private static RbacIndex manyRoles(int count) {
        List<RbacObject> objects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            objects.add(RbacRole.role("a", "r" + i, List.of(rule("get", "kind" + i))));
            objects.add(binding("b" + i, "r" + i));
        }
        return RbacIndex.EMPTY.with(Changes.of(objects, List.of()));
    }

    private static RbacBinding binding(String name, String role) {
        return RbacBinding.roleBinding("a", name, RoleRef.role(role), List.of(RbacSubject.user("jane")));
    }

    private static List<Integer> granted(RbacIndex index, int many) {
        return IntStream.range(0, many)
                .filter(i -> allows(index, "jane", "get", "kind" + i))
                .boxed()
                .toList();
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static RbacRule rule(String verb, String resource) {
        return RbacRule.onResources(List.of(verb), List.of(""), List.of(resource));
    }

    private static boolean allows(RbacIndex index, String user, String verb, String resource) {
        return index.find(request(user, verb, resource)) != null;
    }

    private static Attributes request(String user, String verb, String resource) {
        return new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes("a", verb, "", "v1", resource, "", ""));
    }

    /** A binding that is changed to new missing roles repeatedly must not leak memory. */
    @Test
    void unboundPlaceholdersAreRemoved() {
        RbacIndex index = RbacIndex.EMPTY;
        for (int i = 0; i < 20_000; i++) {
            RbacBinding binding =
                    RbacBinding.roleBinding("a", "b", RoleRef.role("gone-" + i), List.of(RbacSubject.user("jane")));
            index = index.with(Changes.of(List.of(binding), List.of()));
        }
        assertThat(index.bindings()).isEqualTo(1);
        assertThat(index.rolesKnown()).isLessThan(10_000);
    }

    @Test
    void manyBindingsOfMissingRolesDoNotCauseRebuilds() {
        List<RbacObject> bindings = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            bindings.add(RbacBinding.roleBinding(
                    "a", "b-" + i, RoleRef.role("gone-" + i), List.of(RbacSubject.user("jane"))));
        }
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(bindings, List.of()));
        assertThat(index.rolesKnown()).isEqualTo(10_000);
        assertThat(index.with(Changes.of(List.of(), List.of(bindings.getFirst().key())))
                        .bindings())
                .isEqualTo(9_999);
    }
}
