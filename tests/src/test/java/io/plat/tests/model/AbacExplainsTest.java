package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.engine.Decision;
import io.plat.engine.abac.AbacAuthorizer;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.abac.AbacIndex;
import io.plat.engine.abac.AbacPolicy;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Explanations of the policy file agree with the decision and with the model, on random policies and requests. */
final class AbacExplainsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> READS = Set.of("get", "list", "watch");

    @Property(tries = Universe.POLICIES)
    void explanationsAgreeWithDecisionsAndTheModel(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        AbacModel model = new AbacModel(policy);
        AbacAuthorizer authorizer = authorizer(policy);
        for (Attributes request : requests) {
            ExplainedDecision explained = authorizer.explain(request);
            assertThat(explained.decision()).isEqualTo(authorizer.authorize(request));
            assertThat(explained.decision() instanceof Decision.Allow)
                    .as(request::toString)
                    .isEqualTo(model.firstMatch(request) >= 0);
            Map<String, Set<String>> lines = new HashMap<>();
            for (int i = 0; i < policy.size(); i++) {
                String source = "policy:" + (i + 1);
                model.lacks(i, request).ifPresent(lacks -> lines.put(source, lacks));
            }
            check(explained, lines);
        }
    }

    private static void check(ExplainedDecision explained, Map<String, Set<String>> lines) {
        List<String> matching = new ArrayList<>();
        lines.forEach((source, lacks) -> {
            if (lacks.isEmpty()) {
                matching.add(source);
            }
        });
        lines.values().removeIf(Set::isEmpty);
        Findings findings = explained.findings();
        assertThat(findings.grants().items())
                .extracting(NamedGrant::source)
                .containsExactlyInAnyOrderElementsOf(matching);
        if (explained.decision() instanceof Decision.Allow) {
            assertThat(findings.nearMisses()).isEqualTo(BoundedList.none());
            assertThat(findings.suggestion()).isNull();
        } else {
            NearMissChecks.check(findings, NamedGrant::source, lines, lines.size());
        }
    }

    @Property(tries = Universe.POLICIES)
    void suggestedLineAllowsExactlyTheRequest(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        AbacModel before = new AbacModel(policy);
        AbacAuthorizer authorizer = authorizer(policy);
        for (Attributes request : requests.subList(0, Universe.TRIED)) {
            Suggestion suggestion = authorizer.explain(request).findings().suggestion();
            if (suggestion == null) {
                continue;
            }
            assertThat(suggestion.text().isEmpty()).as(suggestion::toString).isEqualTo(!canBeGranted(request));
            if (!suggestion.text().isEmpty()) {
                List<JsonNode> extended = new ArrayList<>(policy);
                extended.add(JSON.readTree(suggestion.text()));
                AbacModel after = new AbacModel(extended);
                assertThat(authorizer(extended).authorize(request)).isInstanceOf(Decision.Allow.class);
                for (Attributes other : requests) {
                    if (after.firstMatch(other) >= 0 && before.firstMatch(other) < 0) {
                        assertThat(covers(request, other))
                                .as(() -> suggestion + " also allows " + other)
                                .isTrue();
                    }
                }
            }
        }
    }

    /** All wildcard values of lines that are literal in requests, and all values without a meaning in requests. */
    private static boolean canBeGranted(Attributes request) {
        boolean user =
                !request.user().name().isEmpty() && !request.user().name().equals("*");
        return user
                && switch (request.access()) {
                    case ResourceAttributes resource ->
                        !resource.resource().isEmpty() && !resource.namespace().equals("*");
                    case NonResourceAttributes path ->
                        !path.path().isEmpty() && !path.path().endsWith("*");
                };
    }

    private static AccessAttributes withVerb(AccessAttributes access, String verb) {
        return access instanceof NonResourceAttributes path ? new NonResourceAttributes(path.path(), verb) : access;
    }

    private static boolean covers(Attributes suggested, Attributes other) {
        boolean verb = !READS.contains(suggested.access().verb())
                || READS.contains(other.access().verb());
        boolean access = suggested.access() instanceof ResourceAttributes one
                ? other.access() instanceof ResourceAttributes two
                        && one.namespace().equals(two.namespace())
                        && (one.group().equals("*") || Aliases.sameGroup(one.group(), two.group()))
                        && (one.resource().equals("*") || one.resource().equals(two.resource()))
                : suggested
                        .access()
                        .equals(withVerb(other.access(), suggested.access().verb()));
        return verb && access && suggested.user().name().equals(other.user().name());
    }

    @Property(tries = Universe.POLICIES)
    void listingsAreSoundAndComplete(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        AbacAuthorizer authorizer = authorizer(policy);
        for (Attributes request : requests.subList(0, Universe.TRIED)) {
            ListingChecks.check(authorizer, authorizer, request.access());
        }
        List<AccessAttributes> any = requests.subList(0, Universe.TRIED).stream()
                .map(Attributes::access)
                .toList();
        ListingChecks.checkHolders(authorizer, any.subList(0, 1));
        ListingChecks.checkHolders(authorizer, any);
    }

    private static AbacAuthorizer authorizer(List<JsonNode> policy) throws ProblemsException {
        return new AbacAuthorizer(AbacIndex.of(read(policy)));
    }

    private static AbacPolicy read(List<JsonNode> policy) throws ProblemsException {
        return AbacFile.parse("policy", policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
    }

    @Provide
    Arbitrary<List<Attributes>> requests() {
        return Universe.requests().list().ofSize(Universe.EXPLAINED);
    }

    @Provide
    Arbitrary<List<JsonNode>> policies() {
        return AbacPolicies.policies();
    }
}
