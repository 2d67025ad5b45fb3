package io.plat.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoverageTest {
    private static final int ROUNDS = 20_000;

    private static RbacRule rule(String verbs, String groups, String resources, String... names) {
        return new RbacRule(
                List.of(verbs.split(",", -1)),
                List.of(groups.split(",", -1)),
                List.of(resources.split(",", -1)),
                List.of(names),
                List.of(),
                null);
    }

    private static List<String> many(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    @Test
    void nothingCoversNothing() {
        assertThat(Coverage.of(List.of(), List.of())).isEqualTo(new CoverageResult.Nothing());
        assertThat(Coverage.of(List.of(rule("get", "apps", "pods")), List.of()))
                .isEqualTo(new CoverageResult.Nothing());
    }

    @Test
    void aRuleThatGrantsNothingIsCovered() {
        assertThat(Coverage.of(
                        List.of(),
                        List.of(new RbacRule(List.of("get"), List.of(), List.of("pods"), List.of(), List.of(), null))))
                .isEqualTo(new CoverageResult.Nothing());
        assertThat(Coverage.of(List.of(), List.of(RbacRule.onPaths(List.of(), List.of("/a")))))
                .isEqualTo(new CoverageResult.Nothing());
    }

    @Test
    void missingRulesAreReportedAsInKubernetes() {
        CoverageResult shortfall = Coverage.of(
                List.of(rule("get", "apps", "pods")),
                List.of(
                        rule("get,list", "apps,batch", "pods", "a"),
                        RbacRule.onPaths(List.of("get", "put"), List.of("/a\"b"))));
        assertThat(shortfall).isInstanceOfSatisfying(CoverageResult.Missing.class, missing -> {
            assertThat(missing.more()).isFalse();
            assertThat(missing.lines())
                    .containsExactly(
                            "{APIGroups:[\"apps\"], Resources:[\"pods\"], ResourceNames:[\"a\"], Verbs:[\"list\"]}",
                            "{APIGroups:[\"batch\"], Resources:[\"pods\"], ResourceNames:[\"a\"], Verbs:[\"get\" \"list\"]}",
                            "{NonResourceURLs:[\"/a\\\"b\"], Verbs:[\"get\"]}",
                            "{NonResourceURLs:[\"/a\\\"b\"], Verbs:[\"put\"]}");
        });
    }

    @Test
    void aRuleMayHaveResourcesAndPaths() {
        RbacRule both = new RbacRule(List.of("get"), List.of(""), List.of("pods"), List.of(), List.of("/a"), null);
        assertThat(Coverage.of(List.of(both), List.of(both))).isEqualTo(new CoverageResult.Nothing());
        assertThat(Coverage.of(List.of(RbacRule.onPaths(List.of("get"), List.of("/a"))), List.of(both)))
                .isInstanceOf(CoverageResult.Missing.class);
    }

    @Test
    void productsOfMillionsOfAtomsAreComparedQuickly() {
        RbacRule wanted =
                new RbacRule(many("v", 1000), many("g", 1000), many("r", 1000), many("n", 1000), List.of(), null);
        long before = System.nanoTime();
        assertThat(Coverage.of(List.of(rule("*", "*", "*")), List.of(wanted))).isEqualTo(new CoverageResult.Nothing());
        assertThat(Coverage.of(List.of(wanted), List.of(wanted))).isEqualTo(new CoverageResult.Nothing());
        assertThat(Coverage.of(List.of(), List.of(wanted)))
                .isInstanceOfSatisfying(CoverageResult.Missing.class, missing -> {
                    assertThat(missing.more()).isTrue();
                    assertThat(missing.rules()).hasSizeLessThanOrEqualTo(MissingRules.MAX);
                });
        System.out.printf("10^12 atoms, three times: %.0f ms%n", (System.nanoTime() - before) / 1e6);
    }

    @Test
    void tooComplexComparisonsAreUnknown() {
        // Each held rule has other halves of all values, so that all values differ.
        Random random = new Random(11);
        List<RbacRule> held = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            held.add(new RbacRule(
                    half("v", random), half("g", random), half("r", random), half("n", random), List.of(), null));
        }
        RbacRule wanted = new RbacRule(many("v", 60), many("g", 60), many("r", 60), many("n", 60), List.of(), null);
        long before = System.nanoTime();
        assertThat(Coverage.of(held, List.of(wanted))).isEqualTo(new CoverageResult.Unknown());
        System.out.printf("aborted after %.0f ms%n", (System.nanoTime() - before) / 1e6);
    }

    private static List<String> half(String prefix, Random random) {
        return many(prefix, 60).stream().filter(value -> random.nextBoolean()).toList();
    }

    @Test
    void aRoleOfThousandsOfAtomsIsComparedWithThousandsOfHeldRules() {
        List<RbacRule> held = IntStream.range(0, 5000)
                .mapToObj(i -> rule("get,list,watch", "apps", "r" + i))
                .toList();
        List<RbacRule> wanted = List.of(new RbacRule(
                List.of("get", "list", "watch"), List.of("apps"), many("r", 5000), List.of(), List.of(), null));
        long before = System.nanoTime();
        assertThat(Coverage.of(held, wanted)).isEqualTo(new CoverageResult.Nothing());
        System.out.printf("15,000 atoms by 5,000 rules: %.0f ms%n", (System.nanoTime() - before) / 1e6);
    }

    @Test
    void randomRulesAgreeWithTheDefinition() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int covered = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<RbacRule> held = rules(random, 5);
            List<RbacRule> wanted = rules(random, 2);
            List<PlainCoverage.Atom> plain = PlainCoverage.missing(held, wanted);
            String what = "seed " + seed + ", round " + round + ", held " + held + ", wanted " + wanted;
            switch (Coverage.of(held, wanted)) {
                case CoverageResult.Nothing nothing -> {
                    assertThat(plain).as(what).isEmpty();
                    covered++;
                }
                case CoverageResult.Missing missing ->
                    assertThat(missing.lines()).as(what).containsExactlyElementsOf(lines(plain));
                case CoverageResult.Unknown unknown -> throw new AssertionError(what);
            }
        }
        assertThat(covered).as("rounds that are covered").isGreaterThan(ROUNDS / 50);
    }

    /** Formats missing atoms independently: one line for each resource, with its verbs in order. */
    private static List<String> lines(List<PlainCoverage.Atom> atoms) {
        TreeSet<String> lines = new TreeSet<>();
        for (PlainCoverage.Atom atom : atoms) {
            if (atom.group() == null) {
                lines.add("{NonResourceURLs:[\"" + atom.resource() + "\"], Verbs:[\"" + atom.verb() + "\"]}");
            } else {
                String verbs = atoms.stream()
                        .filter(other -> other.resource().equals(atom.resource())
                                && atom.group().equals(other.group())
                                && other.name().equals(atom.name()))
                        .map(PlainCoverage.Atom::verb)
                        .map(verb -> "\"" + verb + "\"")
                        .collect(Collectors.joining(" "));
                lines.add("{APIGroups:[\"" + atom.group() + "\"], Resources:[\"" + atom.resource() + "\"], "
                        + atom.name()
                                .map(name -> "ResourceNames:[\"" + name + "\"], ")
                                .orElse("") + "Verbs:[" + verbs
                        + "]}");
            }
        }
        return List.copyOf(lines);
    }

    private static List<RbacRule> rules(Random random, int most) {
        List<RbacRule> rules = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            rules.add(
                    random.nextInt(4) == 0
                            ? RbacRule.onPaths(
                                    some(random, "*", "get", "post"),
                                    some(random, "*", "/*", "/a", "/a/", "/a/*", "/a*", "/a**", "/a/b", "/ab"))
                            : new RbacRule(
                                    some(random, "*", "get", "list"),
                                    some(
                                            random,
                                            "*",
                                            "",
                                            "apps",
                                            "rbac.authorization.k8s.io",
                                            "rbac.authorization.plat.io"),
                                    some(random, "*", "pods", "pods/log", "*/log", "pods/*", "*/*"),
                                    random.nextBoolean() ? List.of() : some(random, "*", "a", ""),
                                    List.of(),
                                    null));
        }
        return rules;
    }

    /** Returns one to three of these, in random order. */
    private static List<String> some(Random random, String... from) {
        Set<String> some = new LinkedHashSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            some.add(from[random.nextInt(from.length)]);
        }
        return List.copyOf(some);
    }
}
