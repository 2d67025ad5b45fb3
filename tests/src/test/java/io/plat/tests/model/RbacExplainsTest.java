package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
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
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Explanations of role objects agree with the decision and with the model, on random policies and requests. */
final class RbacExplainsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUPER_USER = "joe";

    @Property(tries = Universe.POLICIES)
    void explanationsAgreeWithDecisionsAndTheModel(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        RbacModel model = new RbacModel(policy, SUPER_USER);
        RbacAuthorizer authorizer = authorizer(policy);
        RbacAuthorizer unindexed = RbacAuthorizer.unindexed(read(policy), SUPER_USER);
        for (Attributes request : requests) {
            ExplainedDecision explained = authorizer.explain(request);
            assertThat(explained.decision()).isEqualTo(authorizer.authorize(request));
            assertThat(unindexed.explain(request)).isEqualTo(explained);
            assertThat(unindexed.authorize(request)).isEqualTo(explained.decision());
            assertThat(explained.decision() instanceof Decision.Allow)
                    .as(request::toString)
                    .isEqualTo(model.allows(request));
            check(explained, request.user(), model.given(request));
        }
    }

    private static void check(ExplainedDecision explained, UserInfo user, List<RbacModel.Given> expected) {
        List<String> matching = new ArrayList<>();
        if (user.groups().contains("system:masters")) {
            matching.add("group system:masters everything");
        }
        if (user.name().equals(SUPER_USER)) {
            matching.add("--authorization-rbac-super-user everything");
        }
        Map<String, Set<String>> missing = new HashMap<>();
        int count = 0;
        for (RbacModel.Given one : expected) {
            String name = one.binding() + " " + one.rule();
            if (one.lacks().isEmpty()) {
                matching.add(name);
            } else {
                missing.put(name, one.lacks());
                count++;
            }
        }
        Findings findings = explained.findings();
        assertThat(findings.grants().items())
                .extracting(RbacExplainsTest::name)
                .containsExactlyInAnyOrderElementsOf(matching);
        if (explained.decision() instanceof Decision.Allow) {
            assertThat(findings.nearMisses()).isEqualTo(BoundedList.none());
            assertThat(findings.suggestion()).isNull();
        } else {
            NearMissChecks.check(findings, RbacExplainsTest::name, missing, count);
        }
    }

    /** The binding's key and the rule: a source starts with the key, followed by the location in parentheses. */
    private static String name(NamedGrant grant) {
        return grant.source().split(" \\(", 2)[0] + " " + grant.rule();
    }

    @Property(tries = Universe.POLICIES)
    void suggestedRoleAllowsExactlyTheRequest(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        RbacModel before = new RbacModel(policy, SUPER_USER);
        RbacAuthorizer authorizer = authorizer(policy);
        for (Attributes request : requests.subList(0, Universe.TRIED)) {
            Suggestion suggestion = authorizer.explain(request).findings().suggestion();
            if (suggestion == null) {
                continue;
            }
            assertThat(suggestion.text().isEmpty())
                    .as(() -> suggestion + " for " + request)
                    .isEqualTo(!canBeGranted(before, request));
            if (!suggestion.text().isEmpty()) {
                List<JsonNode> extended = new ArrayList<>(policy);
                extended.addAll(documents(suggestion.text()));
                assertThat(authorizer(extended).authorize(request)).isInstanceOf(Decision.Allow.class);
                RbacModel after = new RbacModel(extended, SUPER_USER);
                for (Attributes other : requests) {
                    if (after.allows(other) && !before.allows(other)) {
                        assertThat(covers(request, other))
                                .as(() -> suggestion + " also allows " + other)
                                .isTrue();
                    }
                }
            }
        }
    }

    private static List<JsonNode> documents(String yaml) {
        List<JsonNode> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
            documents.add(JSON.valueToTree(document));
        }
        assertThat(documents).hasSize(2);
        return documents;
    }

    /** Returns whether a rule can grant exactly the request, without a wildcard that was not requested. */
    private static boolean canBeGranted(RbacModel model, Attributes request) {
        if (request.user().name().isEmpty() || request.access().verb().isEmpty()) {
            return false;
        }
        boolean passedOn = model.isAggregated(JSON.createObjectNode());
        return switch (request.access()) {
            case ResourceAttributes resource ->
                !resource.resource().isEmpty()
                        && !resource.namespace().equals("*")
                        && !(resource.namespace().isEmpty() && passedOn);
            case NonResourceAttributes path ->
                !path.path().isEmpty() && !path.path().endsWith("*") && !passedOn;
        };
    }

    private static AccessAttributes withVerb(AccessAttributes access, String verb) {
        return access instanceof NonResourceAttributes path ? new NonResourceAttributes(path.path(), verb) : access;
    }

    private static boolean covers(Attributes suggested, Attributes other) {
        String verb = suggested.access().verb();
        boolean access = suggested.access() instanceof ResourceAttributes one
                ? other.access() instanceof ResourceAttributes two && covers(one, two)
                : suggested
                        .access()
                        .equals(withVerb(other.access(), suggested.access().verb()));
        return access
                && (verb.equals("*") || verb.equals(other.access().verb()))
                && suggested.user().name().equals(other.user().name());
    }

    private static boolean covers(ResourceAttributes suggested, ResourceAttributes other) {
        boolean all = suggested.resource().equals("*");
        boolean resource = all
                ? suggested.subresource().isEmpty() || suggested.subresource().equals(other.subresource())
                : full(suggested).equals(full(other));
        return resource
                && (suggested.namespace().isEmpty() || suggested.namespace().equals(other.namespace()))
                && (suggested.group().equals("*") || Aliases.sameGroup(suggested.group(), other.group()))
                && (suggested.name().isEmpty() || suggested.name().equals(other.name()));
    }

    private static String full(ResourceAttributes access) {
        return access.subresource().isEmpty() ? access.resource() : access.resource() + "/" + access.subresource();
    }

    @Property(tries = Universe.POLICIES)
    void listingsAreSoundAndComplete(
            @ForAll("policies") List<JsonNode> policy, @ForAll("requests") List<Attributes> requests) throws Exception {
        RbacAuthorizer authorizer = authorizer(policy);
        RbacAuthorizer unindexed = RbacAuthorizer.unindexed(read(policy), SUPER_USER);
        for (Attributes request : requests.subList(0, Universe.TRIED)) {
            ListingChecks.check(authorizer, authorizer, request.access());
            assertThat(unindexed.subjects(request.access())).isEqualTo(authorizer.subjects(request.access()));
            assertThat(unindexed.rules(request.user(), "a")).isEqualTo(authorizer.rules(request.user(), "a"));
        }
        List<AccessAttributes> any = requests.subList(0, Universe.TRIED).stream()
                .map(Attributes::access)
                .toList();
        ListingChecks.checkHolders(authorizer, any.subList(0, 1));
        ListingChecks.checkHolders(authorizer, any);
        ListingChecks.checkHolders(unindexed, any);
    }

    private static RbacAuthorizer authorizer(List<JsonNode> policy) throws ProblemsException {
        return RbacAuthorizer.of(RbacIndex.of(read(policy)), SUPER_USER);
    }

    private static RbacPolicy read(List<JsonNode> policy) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("policy.json", policy.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
        return reader.finish().policy();
    }

    @Provide
    Arbitrary<List<JsonNode>> policies() {
        return RbacPolicies.policies();
    }

    @Provide
    Arbitrary<List<Attributes>> requests() {
        return Universe.requests().list().ofSize(Universe.EXPLAINED);
    }
}
