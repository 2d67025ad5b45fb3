package io.plat.engine.rbac.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.Decision;
import io.plat.engine.access.Coverage;
import io.plat.engine.access.CoverageResult;
import io.plat.engine.explain.RuleCollector;
import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.ResourceRule;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Aggregation while roles change, and its cost. */
final class AggregationTest {
    private static final List<String> LABELS = List.of("a", "b", "c");
    private static final UserInfo JANE = new UserInfo("jane", List.of());

    private static ObjectKey key(String name) {
        return new ObjectKey(RbacKind.CLUSTER_ROLE, "", name);
    }

    private static RbacRole role(String name, Set<String> labels, List<RbacRule> rules) {
        return new RbacRole(key(name), labelled(labels), rules, null, null);
    }

    private static RbacRole aggregating(String name, Set<String> labels, Set<String> selected, List<RbacRule> stored) {
        List<ClusterRoleSelector> selectors = selected.stream()
                .map(label -> new ClusterRoleSelector(Map.of(label, "yes"), List.of()))
                .toList();
        return new RbacRole(key(name), labelled(labels), stored, selectors, null);
    }

    private static Map<String, String> labelled(Set<String> labels) {
        return labels.stream().collect(Collectors.toMap(label -> label, label -> "yes"));
    }

    private static RbacRule named(String name) {
        return new RbacRule(List.of("get"), List.of(""), List.of("pods"), List.of(name), List.of(), null);
    }

    private static RbacBinding bound(String role) {
        return RbacBinding.clusterRoleBinding(
                "of-" + role, RoleRef.clusterRole(role), List.of(RbacSubject.user("jane-" + role)));
    }

    /** After any changes every role grants the rules of all roles that it reaches. */
    @Property(tries = 300)
    void aRoleGrantsTheRulesOfAllReachableRoles(@ForAll long seed) {
        Random random = new Random(seed);
        Map<ObjectKey, RbacRole> roles = new HashMap<>();
        RbacIndex index = RbacIndex.EMPTY.with(
                Changes.of(IntStream.range(0, 6).mapToObj(i -> bound("r" + i)).toList(), List.of()));
        for (int i = 0; i < 30; i++) {
            List<RbacObject> puts = new ArrayList<>();
            Set<ObjectKey> removals = new HashSet<>();
            for (int k = random.nextInt(3); k >= 0; k--) {
                RbacRole next = random(random, "r" + random.nextInt(6));
                if (random.nextInt(5) == 0
                        && puts.stream().noneMatch(put -> put.key().equals(next.key()))) {
                    removals.add(next.key());
                    roles.remove(next.key());
                } else if (roles.get(next.key()) != null && random.nextBoolean()) {
                    // An update of an aggregating role: the server changes the rules, or a user an annotation.
                    RbacRole known = roles.get(next.key());
                    RbacRole same = new RbacRole(
                            known.key(),
                            known.labels(),
                            known.aggregation() == null ? known.rules() : next.rules(),
                            known.aggregation(),
                            null);
                    removals.remove(same.key());
                    puts.add(same);
                    roles.put(same.key(), same);
                } else {
                    removals.remove(next.key());
                    puts.add(next);
                    roles.put(next.key(), next);
                }
            }
            index = index.with(Changes.of(puts, removals));
            for (RbacRole role : roles.values()) {
                Set<RbacRule> granted = new HashSet<>();
                reach(role, roles, new HashSet<>(), granted);
                assertThat(index.rulesOf(role.key())).containsExactlyInAnyOrderElementsOf(granted);
                for (int verb = 0; verb < 8; verb++) {
                    String name = "v" + verb;
                    assertThat(allows(index, "jane-" + role.key().name(), name))
                            .isEqualTo(granted.contains(named(name)));
                }
            }
        }
        RbacIndex fresh = RbacIndex.of(index.policy());
        assertThat(Set.copyOf(index.aggregated())).isEqualTo(Set.copyOf(fresh.aggregated()));
        assertThat(new HashSet<>(index.policy().roles())).isEqualTo(new HashSet<>(roles.values()));
    }

    private static void reach(RbacRole role, Map<ObjectKey, RbacRole> all, Set<ObjectKey> seen, Set<RbacRule> granted) {
        if (!seen.add(role.key())) {
            return;
        }
        List<ClusterRoleSelector> selectors = role.aggregation();
        if (selectors == null) {
            granted.addAll(role.rules());
            return;
        }
        for (RbacRole other : all.values()) {
            if (selectors.stream().anyMatch(selector -> selector.matches(other.labels()))) {
                reach(other, all, seen, granted);
            }
        }
    }

    private static RbacRole random(Random random, String name) {
        List<RbacRule> rules = random.ints(random.nextInt(4), 0, 8)
                .distinct()
                .mapToObj(i -> named("v" + i))
                .toList();
        return random.nextInt(2) == 0
                ? role(name, some(random), rules)
                : aggregating(name, some(random), some(random), rules);
    }

    private static Set<String> some(Random random) {
        return LABELS.stream().filter(label -> random.nextInt(3) == 0).collect(Collectors.toSet());
    }

    private static boolean allows(RbacIndex index, String user, String name) {
        Decision.Allow allow = index.find(new Attributes(
                new UserInfo(user, List.of()), new ResourceAttributes("a", "get", "", "v1", "pods", "", name)));
        return allow != null;
    }

    @Test
    void storedRulesOfAnAggregatingRoleAreIgnored() {
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(
                List.of(
                        role("part", Set.of("a"), List.of(named("x"))),
                        aggregating("inner", Set.of("b"), Set.of("a"), List.of()),
                        aggregating("outer", Set.of(), Set.of("b"), List.of())),
                List.of()));
        RbacIndex written = index.with(
                Changes.of(List.of(aggregating("inner", Set.of("b"), Set.of("a"), List.of(named("x")))), List.of()));
        assertThat(written.rulesOf(key("inner"))).isSameAs(index.rulesOf(key("inner")));
        assertThat(written.rulesOf(key("outer"))).isSameAs(index.rulesOf(key("outer")));
        assertThat(written.aggregated())
                .anySatisfy(role -> assertThat(role.role().rules()).containsExactly(named("x")));
        // A change of metadata only has no effect either.
        RbacIndex patched =
                written.with(Changes.of(List.of(role("part", Set.of("a"), List.of(named("x")))), List.of()));
        assertThat(patched.rulesOf(key("outer"))).isSameAs(index.rulesOf(key("outer")));
    }

    @Test
    void theLargestRolesAreLeftOutBeyondTheLimit() {
        List<RbacObject> objects = new ArrayList<>(List.of(
                aggregating("all", Set.of(), Set.of("a"), List.of()),
                bound("all"),
                role("small", Set.of("a"), List.of(named("small")))));
        for (int i = 0; i < 4; i++) {
            objects.add(role(
                    "big" + i, Set.of("a"), List.of(named("x" + i + "y".repeat(600_000 + i)), named("b" + i))));
        }
        RbacIndex index = RbacIndex.EMPTY.with(Changes.of(objects, List.of()));
        assertThat(index.aggregated())
                .singleElement()
                .satisfies(role -> assertThat(role.leftOut()).containsExactly(key("big2"), key("big3")));
        assertThat(allows(index, "jane-all", "small")).isTrue();
        assertThat(allows(index, "jane-all", "b0")).isTrue();
        assertThat(allows(index, "jane-all", "b3")).isFalse();
        RbacIndex fewer = index.with(Changes.of(List.of(), List.of(key("big0"), key("big1"))));
        assertThat(fewer.aggregated())
                .singleElement()
                .satisfies(role -> assertThat(role.leftOut()).isEmpty());
        assertThat(allows(fewer, "jane-all", "b3")).isTrue();
    }

    /** Names with equal hash codes. */
    private static String colliding(int i) {
        return IntStream.range(0, 13)
                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining());
    }

    private static List<RbacRule> rules(IntFunction<String> names) {
        return IntStream.range(0, 4000).mapToObj(i -> named(names.apply(i))).toList();
    }

    @Test
    void collidingNamesDoNotSlowDownAggregation() {
        compare(names -> {
            RbacIndex index = RbacIndex.EMPTY.with(Changes.of(
                    List.of(aggregating("view", Set.of(), Set.of("a"), List.of()), bound("view")), List.of()));
            index = index.with(Changes.of(List.of(role("one", Set.of("a"), rules(names))), List.of()));
            index = index.with(Changes.of(
                    List.of(role("two", Set.of("a"), rules(i -> names.apply(i + 4000)))), List.of()));
            return Objects.requireNonNull(index.rulesOf(key("view")));
        });
    }

    @Test
    void collidingNamesDoNotSlowDownComparisons() {
        compare(names -> {
            List<RbacRule> held = RbacIndex.EMPTY
                    .with(Changes.of(
                            List.of(
                                    role("mine", Set.of(), rules(names)),
                                    RbacBinding.clusterRoleBinding(
                                            "b", RoleRef.clusterRole("mine"), List.of(RbacSubject.user("jane")))),
                            List.of()))
                    .heldBy(JANE, "a");
            assertThat(Coverage.of(held, List.of())).isInstanceOf(CoverageResult.Nothing.class);
            assertThat(Coverage.of(held, held.subList(0, 100))).isInstanceOf(CoverageResult.Nothing.class);
            RuleCollector collector = new RuleCollector();
            held.forEach(rule -> collector.add(
                    new ResourceRule(rule.verbs(), rule.apiGroups(), rule.resources(), rule.resourceNames())));
            return collector.listing();
        });
    }

    private interface Work {
        Object with(IntFunction<String> names);
    }

    private static void compare(Work work) {
        long plain = Long.MAX_VALUE;
        long alike = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            plain = Math.min(plain, nanos(() -> work.with(n -> "name-%021d".formatted(n))));
            alike = Math.min(alike, nanos(() -> work.with(AggregationTest::colliding)));
        }
        // Where each key is compared with all others, the factor is above 40.
        assertThat(alike).as("equal hashes against others, ns of CPU time").isLessThan(15 * plain);
    }

    /** CPU time, as the machine may be busy with other tests. */
    private static long nanos(Runnable work) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = threads.getCurrentThreadCpuTime();
        work.run();
        return threads.getCurrentThreadCpuTime() - begin;
    }

    private static long nanosOfSelectingEachOther(int count) {
        List<RbacRole> roles = IntStream.range(0, 2 * count)
                .mapToObj(i -> i < count
                        ? aggregating("r" + i, Set.of("a"), Set.of("a"), List.of())
                        : role("r" + i, Set.of("a"), List.of(named("n" + i % 3))))
                .toList();
        return nanos(() -> assertThat(
                        RbacIndex.of(new RbacPolicy(roles, List.of())).rulesOf(key("r0")))
                .hasSize(3));
    }

    /** Files of strangers may contain them. A walk of each role through the selections of all others would take 64 times as long. */
    @Test
    void theCostOfRolesThatAllSelectEachOtherIsNotCubic() {
        nanosOfSelectingEachOther(300);
        long few = Math.max(nanosOfSelectingEachOther(300), TimeUnit.MILLISECONDS.toNanos(5));
        assertThat(nanosOfSelectingEachOther(1_200)).isLessThan(40 * few);
    }

    /** Many roles that select each other: the cost of a change is not quadratic in their number. */
    @Test
    void aPartOfManyAggregatingRolesChangesInMilliseconds() {
        List<RbacObject> objects = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            objects.add(aggregating("all" + i, Set.of("a"), Set.of("a"), List.of()));
            int part = i;
            objects.add(role(
                    "part" + i,
                    Set.of("a"),
                    IntStream.range(0, 10)
                            .mapToObj(n -> named("n" + part + "-" + n))
                            .toList()));
        }
        RbacIndex index = RbacIndex.of(
                new RbacPolicy(objects.stream().map(RbacRole.class::cast).toList(), List.of()));
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            RbacRole changed = role("part0", Set.of("a"), List.of(named("changed" + i)));
            fastest = Math.min(fastest, nanos(() -> index.with(Changes.of(List.of(changed), List.of()))));
        }
        assertThat(fastest).isLessThan(100_000_000);
    }
}
