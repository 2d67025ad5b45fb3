package io.plat.apiserver.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.audit.policy.PolicyRule.GroupResources;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The first matching rule decides, regardless of later ones. */
class FirstRuleDecidesTest {
    private static final UserInfo ALICE = new UserInfo("alice", List.of("dev"));

    @Property(tries = 500)
    void firstMatchingRuleDecides(
            @ForAll("policies") List<PolicyRule> rules, @ForAll("requests") AccessAttributes access) {
        RequestAuditConfig expected = RequestAuditConfig.NOTHING;
        for (int i = rules.size() - 1; i >= 0; i--) {
            if (!new AuditPolicy(List.of(rules.get(i)))
                    .auditConfig(ALICE, access)
                    .equals(RequestAuditConfig.NOTHING)) {
                expected = rules.get(i).auditConfig();
            }
        }
        assertThat(new AuditPolicy(rules).auditConfig(ALICE, access)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<List<PolicyRule>> policies() {
        return rules().list().ofMaxSize(6);
    }

    private static Arbitrary<PolicyRule> rules() {
        Arbitrary<List<GroupResources>> resources = Combinators.combine(
                        Arbitraries.of("", "apps", "rbac.authorization.plat.io"),
                        some("pods", "pods/log", "*"),
                        some("a", "b"))
                .as(GroupResources::new)
                .list()
                .ofMaxSize(2);
        return Combinators.combine(
                        some("alice", "bob"),
                        some("dev", "ops"),
                        some("get", "list"),
                        resources,
                        some("ns", ""),
                        some("/version", "/health*"),
                        Arbitraries.of(Level.values()))
                .as((users, groups, verbs, of, namespaces, paths, level) -> new PolicyRule(
                        users,
                        groups,
                        verbs,
                        of,
                        namespaces,
                        paths,
                        new RequestAuditConfig(level, Set.of(Stage.PANIC), true)));
    }

    private static Arbitrary<List<String>> some(String... values) {
        return Arbitraries.of(values).list().ofMaxSize(2);
    }

    @Provide
    Arbitrary<AccessAttributes> requests() {
        Arbitrary<AccessAttributes> resources = Combinators.combine(
                        Arbitraries.of("ns", ""),
                        Arbitraries.of("get", "list"),
                        Arbitraries.of("", "apps", "rbac.authorization.k8s.io"),
                        Arbitraries.of("", "log"),
                        Arbitraries.of("a", "b", ""))
                .as((namespace, verb, group, part, name) ->
                        new ResourceAttributes(namespace, verb, group, "v1", "pods", part, name));
        return Arbitraries.oneOf(
                resources,
                Arbitraries.of("/version", "/healthz", "/x").map(path -> new NonResourceAttributes(path, "get")));
    }
}
