package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.explain.Explainer;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.engine.union.Member;
import io.plat.engine.union.UnionAuthorizer;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.RuleListing;
import io.plat.review.source.ProblemsException;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Rules reviews agree with the decisions, on random policies and requests: exactly what a rule covers is allowed. */
final class RulesAgreeTest {
    private static final String SUPER_USER = "joe";

    /** An authorizer that explains. */
    private record Mode(Authorizer authorizer, Explainer explainer) {
        static <T extends Authorizer & Explainer> Mode of(T both) {
            return new Mode(both, both);
        }
    }

    @Property(tries = Universe.POLICIES)
    void roleObjects(@ForAll("roles") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests)
            throws Exception {
        agree(Mode.of(rbac(policy)), requests, false);
    }

    @Property(tries = Universe.POLICIES)
    void policyLines(@ForAll("lines") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests)
            throws Exception {
        agree(Mode.of(abac(policy)), requests, true);
    }

    @Property(tries = Universe.POLICIES)
    void unionOfTwoFiles(
            @ForAll("lines") List<JsonNode> first,
            @ForAll("lines") List<JsonNode> second,
            @ForAll("requests") List<Attributes> requests)
            throws Exception {
        agree(
                Mode.of(new UnionAuthorizer(List.of(new Member("one", abac(first)), new Member("two", abac(second))))),
                requests,
                true);
    }

    private static void agree(Mode mode, List<Attributes> requests, boolean anySubresource) {
        for (Attributes request : requests) {
            String namespace = request.access() instanceof ResourceAttributes resource ? resource.namespace() : "a";
            if (namespace.isEmpty() || (anySubresource && isSubresourceAsResource(request))) {
                continue;
            }
            RuleListing rules = mode.explainer().rules(request.user(), namespace);
            assertThat(rules.incomplete()).isFalse();
            boolean allowed = mode.authorizer().authorize(request) instanceof Decision.Allow;
            assertThat(new CoveredRules(rules, anySubresource).cover(request.access()))
                    .as(() -> request + " by " + rules)
                    .isEqualTo(allowed);
        }
    }

    /** Returns whether no path produces this resource, so that policy lines cannot distinguish it from its subresource. */
    private static boolean isSubresourceAsResource(Attributes request) {
        return request.access() instanceof ResourceAttributes resource
                && resource.resource().contains("/");
    }

    private static AbacAuthorizer abac(List<JsonNode> policy) throws ProblemsException {
        String file = policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
        return new AbacAuthorizer(AbacIndex.of(AbacFile.parse("policy", file)));
    }

    private static RbacAuthorizer rbac(List<JsonNode> policy) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("policy.json", policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
        return RbacAuthorizer.of(RbacIndex.of(reader.finish().policy()), SUPER_USER);
    }

    @Provide
    Arbitrary<List<JsonNode>> roles() {
        return RbacPolicies.policies();
    }

    @Provide
    Arbitrary<List<JsonNode>> lines() {
        return AbacPolicies.policies();
    }

    @Provide
    Arbitrary<List<Attributes>> requests() {
        return Universe.requests().list().ofSize(Universe.REQUESTS);
    }
}
