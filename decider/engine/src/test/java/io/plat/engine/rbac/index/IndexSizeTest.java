package io.plat.engine.rbac.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * The size of the index is linear in the text of roles: a few values may represent a million combinations, and a few roles thousands of
 * sets.
 */
final class IndexSizeTest {
    private static List<String> numbered(String prefix, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> prefix + i).toList();
    }

    private static RbacRule rule(List<String> groups, List<String> resources, List<String> names) {
        return new RbacRule(List.of("get"), groups, resources, names, List.of(), null);
    }

    private static RbacBinding bound(String name, String role, List<String> users) {
        return RbacBinding.roleBinding(
                "a",
                name,
                RoleRef.role(role),
                users.stream().map(RbacSubject::user).toList());
    }

    private static boolean allows(RbacIndex index, String user, String group, String resource, String name) {
        return index.grants(new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes("a", "get", group, "v1", resource, "", name)));
    }

    @Test
    void aRoleWithAMillionCombinationsHasABoundedIndex() {
        RbacIndex index = RbacIndex.EMPTY;
        for (int i = 0; i < 20; i++) {
            RbacRule wide = rule(numbered("g", i, i + 1000), numbered("r", 0, 990), List.of());
            index = index.with(Changes.of(
                    List.of(
                            RbacRole.role("a", "wide" + i, List.of(wide, rule(List.of(""), List.of("x"), List.of()))),
                            bound("b" + i, "wide" + i, List.of("jane"))),
                    List.of()));
        }
        for (int i = 0; i < 20; i++) {
            RbacRule named = rule(List.of("n" + i), numbered("r", 0, 8), numbered("name", 0, 60_000));
            index = index.with(Changes.of(
                    List.of(
                            RbacRole.role("a", "named" + i, List.of(named)),
                            bound("n" + i, "named" + i, List.of("jane"))),
                    List.of()));
        }
        assertThat(allows(index, "jane", "g0", "r989", "")).isTrue();
        assertThat(allows(index, "jane", "g1018", "r0", "")).isTrue();
        assertThat(allows(index, "jane", "g1019", "r0", "")).isFalse();
        assertThat(allows(index, "jane", "g0", "r990", "")).isFalse();
        assertThat(allows(index, "jane", "", "x", "")).isTrue();
        assertThat(allows(index, "jane", "n19", "r7", "name59999")).isTrue();
        assertThat(allows(index, "jane", "n19", "r7", "")).isFalse();
        index = index.with(
                Changes.of(List.of(), List.of(bound("b0", "wide0", List.of()).key())));
        assertThat(allows(index, "jane", "g0", "r989", "")).isFalse();
    }

    @Test
    void unmergedRoleSetsDecideTheSame() {
        RbacIndex index = RbacIndex.EMPTY;
        int roles = 12;
        List<RbacObject> all = new ArrayList<>();
        for (int i = 0; i < roles; i++) {
            RbacRule names = rule(List.of(""), List.of("x", "y", "z"), numbered("r" + i + "-", 0, 500));
            all.add(RbacRole.role("a", "role" + i, List.of(names)));
            int bit = i;
            all.add(bound(
                    "b" + i,
                    "role" + i,
                    IntStream.range(0, 1 << roles)
                            .filter(user -> (user >> bit & 1) == 1)
                            .mapToObj(user -> "user" + user)
                            .toList()));
        }
        for (RbacObject object : all) {
            index = index.with(Changes.of(List.of(object), List.of()));
        }
        RbacIndex changed = index.with(Changes.of(
                List.of(RbacRole.role("a", "role3", List.of(rule(List.of(""), List.of("x"), List.of("other"))))),
                List.of()));
        for (int user = 0; user < 1 << roles; user += 7) {
            for (int i = 0; i < roles; i++) {
                boolean has = (user >> i & 1) == 1;
                assertThat(allows(index, "user" + user, "", "x", "r" + i + "-499"))
                        .isEqualTo(has);
                assertThat(allows(changed, "user" + user, "", "x", "r" + i + "-499"))
                        .isEqualTo(has && i != 3);
            }
            assertThat(allows(changed, "user" + user, "", "x", "other")).isEqualTo((user >> 3 & 1) == 1);
        }
    }

    /** Rules with and without entries of their own, in roles that change: each decision is that of the rules compared one by one. */
    @Property(tries = 200)
    void rulesOfAnySizeDecideAsWritten(@ForAll long seed) {
        Random random = new Random(seed);
        List<RbacRule> rules = new ArrayList<>();
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(List.of(bound("b", "r", List.of("jane"))), List.of()));
        for (int change = 0; change < 3; change++) {
            rules.clear();
            for (int i = random.nextInt(12); i >= 0; i--) {
                rules.add(
                        random.nextInt(4) == 0
                                ? RbacRule.onPaths(List.of("get"), numbered("/p", random.nextInt(4), 4))
                                : rule(
                                        some(random, "g"),
                                        some(random, "r"),
                                        random.nextBoolean() ? List.of() : some(random, "n")));
            }
            index = index.with(Changes.of(List.of(RbacRole.role("a", "r", rules)), List.of()));
            for (int i = 0; i < 50; i++) {
                String group = "g" + random.nextInt(60);
                String resource = "r" + random.nextInt(60);
                String name = random.nextBoolean() ? "" : "n" + random.nextInt(60);
                assertThat(allows(index, "jane", group, resource, name))
                        .isEqualTo(rules.stream()
                                .anyMatch(rule -> rule.apiGroups().contains(group)
                                        && rule.resources().contains(resource)
                                        && (rule.resourceNames().isEmpty()
                                                || rule.resourceNames().contains(name))));
            }
        }
    }

    private static List<String> some(Random random, String prefix) {
        Set<Integer> chosen = random.ints(1 + random.nextInt(50), 0, 60).boxed().collect(Collectors.toSet());
        return chosen.stream().sorted().map(i -> prefix + i).toList();
    }
}
