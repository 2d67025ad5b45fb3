package io.plat.tests.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.engine.abac.AbacFile;
import io.plat.engine.access.AccessSet;
import io.plat.engine.access.PolicyAccess;
import io.plat.engine.access.PolicyChange;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Policy differences agree with the decisions before and after, for every subject and random accesses. */
final class ChangesAgreeTest {
    private static final int TRIES = 200;

    /** Number of pairs of policies per try: 10,000 together in the full run. */
    private static final int PAIRS = Boolean.getBoolean("plat.full") ? 50 : 1;

    private static final int ACCESSES = 25;

    /** A subject that no policy names. */
    private static final String STRANGER = "stranger";

    /**
     * A policy in its written form.
     *
     * @param lines lines of a policy file
     * @param objects role objects; null without the RBAC mode
     */
    record Written(List<JsonNode> lines, List<JsonNode> objects, boolean byRoles) {
        boolean allows(Attributes request) {
            return (byRoles && new RbacModel(objects, "").allows(request))
                    || new AbacModel(lines).firstMatch(request) >= 0;
        }

        PolicyAccess access(PolicyAccess.Vocabulary vocabulary) throws ProblemsException {
            PolicyAccess.Builder access = new PolicyAccess.Builder(vocabulary);
            access.add(AbacFile.parse("lines", text(lines)));
            if (byRoles) {
                RbacManifestReader reader = new RbacManifestReader();
                reader.add("objects.json", text(objects));
                access.add(reader.finish().policy());
            }
            return access.build();
        }

        private static String text(List<JsonNode> nodes) {
            return nodes.stream().map(JsonNode::toString).collect(Collectors.joining("\n"));
        }
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void differenceIsWhatIsNewlyAllowed(@ForAll("pairs") List<Pair> pairs) throws ProblemsException {
        for (Pair pair : pairs) {
            compare(pair.before, pair.after, pair.requests);
        }
    }

    /** Two policies and the requests to both. */
    record Pair(Written before, Written after, List<Attributes> requests) {}

    private static void compare(Written before, Written after, List<Attributes> requests) throws ProblemsException {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        PolicyAccess old = before.access(vocabulary);
        PolicyAccess now = after.access(vocabulary);
        PolicyChange change = PolicyChange.between(old, now);
        Set<SubjectName> everybody = new TreeSet<>(old.subjects());
        everybody.addAll(now.subjects());
        everybody.add(SubjectName.EVERYBODY);
        boolean masters = before.byRoles || after.byRoles;
        for (Attributes request : requests) {
            if (hasSlash(request.access())) {
                continue;
            }
            for (SubjectName subject : everybody) {
                if (masters && asUser(subject).groups().contains("system:masters")) {
                    continue;
                }
                agree(subject, request.access(), change.granted(), before, after);
                agree(subject, request.access(), change.revoked(), after, before);
            }
            if (!masters || !request.user().groups().contains("system:masters")) {
                assertReported(request, change.granted(), before, after);
                assertReported(request, change.revoked(), after, before);
            }
        }
    }

    private static void agree(
            SubjectName subject,
            AccessAttributes access,
            Map<SubjectName, AccessSet> gained,
            Written before,
            Written after) {
        boolean isReported = gained.getOrDefault(subject, AccessSet.NONE).contains(access);
        Attributes requested = new Attributes(asUser(subject), access);
        boolean expected =
                after.allows(requested) && !before.allows(requested) && isOnlyBySubject(subject, access, after);
        assertThat(isReported)
                .as(() -> subject + " " + access + "\nbefore " + before + "\nafter " + after + "\ngained " + gained)
                .isEqualTo(expected);
    }

    /** Returns whether the subject itself is allowed, rather than a subject that it implies. */
    private static boolean isOnlyBySubject(SubjectName subject, AccessAttributes access, Written after) {
        List<UserInfo> others = new ArrayList<>();
        if (subject.kind() != SubjectName.Kind.EVERYBODY) {
            others.add(new UserInfo(STRANGER, List.of()));
        }
        if (!subject.inGroup().isEmpty()) {
            others.add(new UserInfo(asUser(subject).name(), List.of()));
            others.add(new UserInfo(STRANGER, List.of(subject.inGroup())));
        }
        return others.stream().noneMatch(other -> after.allows(new Attributes(other, access)));
    }

    /** Returns a user that is this subject only. */
    private static UserInfo asUser(SubjectName subject) {
        List<String> groups = subject.inGroup().isEmpty() ? List.of() : List.of(subject.inGroup());
        return switch (subject.kind()) {
            case EVERYBODY -> new UserInfo(STRANGER, List.of());
            case GROUP -> new UserInfo(STRANGER, List.of(subject.name()));
            case USER -> new UserInfo(subject.name(), groups);
            case SERVICE_ACCOUNT ->
                new UserInfo(UserInfo.serviceAccountUser(subject.namespace(), subject.name()), groups);
        };
    }

    /** Every user who is newly allowed is one of the reported subjects, with any groups. */
    private static void assertReported(
            Attributes request, Map<SubjectName, AccessSet> gained, Written before, Written after) {
        if (after.allows(request) && !before.allows(request)) {
            assertThat(gained).as(request::toString).anySatisfy((subject, set) -> {
                assertThat(isNamed(subject, request.user())).isTrue();
                assertThat(set.contains(request.access())).isTrue();
            });
        }
    }

    private static boolean isNamed(SubjectName subject, UserInfo user) {
        UserInfo named = asUser(subject);
        return (named.name().equals(STRANGER) || named.name().equals(user.name()))
                && user.groups().containsAll(named.groups());
    }

    @Property(tries = TRIES, shrinking = ShrinkingMode.OFF)
    void splitRulesAndRenamedRolesAreNoDifference(@ForAll("objects") List<List<JsonNode>> policies)
            throws ProblemsException {
        for (List<JsonNode> policy : policies) {
            rewritingChangesNothing(policy);
        }
    }

    private static void rewritingChangesNothing(List<JsonNode> objects) throws ProblemsException {
        List<JsonNode> plain = objects.stream()
                .filter(object -> !object.has("aggregationRule"))
                .toList();
        List<JsonNode> other = plain.stream().map(ChangesAgreeTest::rewritten).toList();
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        PolicyChange change = PolicyChange.between(
                new Written(List.of(), plain, true).access(vocabulary),
                new Written(List.of(), other, true).access(vocabulary));
        assertThat(change.isEmpty()).as(change::toString).isTrue();
    }

    /** Returns the same object with renamed roles, one rule per verb of a rule, and one per resource. */
    private static JsonNode rewritten(JsonNode object) {
        ObjectNode other = object.deepCopy();
        if (object.has("roleRef")) {
            ObjectNode reference = (ObjectNode) other.get("roleRef");
            reference.put("name", "new-" + reference.path("name").asText());
            return other;
        }
        ObjectNode metadata = (ObjectNode) other.get("metadata");
        metadata.put("name", "new-" + metadata.path("name").asText());
        ArrayNode rules = other.putArray("rules");
        for (JsonNode rule : object.path("rules")) {
            for (JsonNode verb : rule.path("verbs")) {
                String many = rule.has("resources") ? "resources" : "nonResourceURLs";
                for (JsonNode one : rule.path(many)) {
                    ObjectNode part = rule.deepCopy();
                    rules.insert(0, part);
                    part.putArray("verbs").add(verb);
                    part.putArray(many).add(one);
                }
            }
        }
        return other;
    }

    private static boolean hasSlash(AccessAttributes access) {
        return access instanceof ResourceAttributes resource
                && resource.resource().contains("/");
    }

    @Provide
    Arbitrary<List<Pair>> pairs() {
        return Combinators.combine(
                        written(), written(), Universe.requests().list().ofSize(ACCESSES))
                .as(Pair::new)
                .list()
                .ofSize(PAIRS);
    }

    private static Arbitrary<Written> written() {
        return Combinators.combine(AbacPolicies.policies(), RbacPolicies.policies(), Arbitraries.of(0, 1, 1, 2))
                .as((lines, objects, kind) -> new Written(kind == 1 ? List.of() : lines, objects, kind != 0));
    }

    @Provide
    Arbitrary<List<List<JsonNode>>> objects() {
        return RbacPolicies.policies().list().ofSize(PAIRS);
    }
}
