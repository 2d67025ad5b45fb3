package io.plat.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.abac.AbacFile;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Text of policy changes. */
final class PolicyChangeTest {
    private static final String EVERYTHING = "{verbs: ['*'], apiGroups: ['*'], resources: ['*']}";

    /**
     * A change.
     *
     * @param before a policy: lines where it begins with a brace and ABAC properties, else rules of jane, or with an {@code @} before,
     *     rules in the namespace named there
     * @param expected granted accesses, each with {@code +}, and revoked ones, each with {@code -}
     */
    record Case(String name, List<String> before, List<String> after, List<String> expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Case> CASES = List.of(
            new Case("nothing at all", List.of(), List.of(), List.of()),
            new Case(
                    "a first grant",
                    List.of(),
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods]}"),
                    List.of("+ USER jane: get pods in a")),
            new Case(
                    "a rule split in two",
                    List.of("a {verbs: [get, list], apiGroups: ['', apps], resources: [pods]}"),
                    List.of(
                            "a {verbs: [get], apiGroups: ['', apps], resources: [pods]}",
                            "a {verbs: [list], apiGroups: [''], resources: [pods]}",
                            "a {verbs: [list, get], apiGroups: [apps], resources: [pods]}"),
                    List.of()),
            new Case(
                    "an additional verb",
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods]}"),
                    List.of("a {verbs: [get, delete], apiGroups: [''], resources: [pods, pods/log]}"),
                    List.of("+ USER jane: delete pods in a", "+ USER jane: delete, get pods/log in a")),
            new Case(
                    "an alias of a group is the group",
                    List.of("a {verbs: [get], apiGroups: [rbac.authorization.k8s.io], resources: [roles]}"),
                    List.of("a {verbs: [get], apiGroups: [rbac.authorization.plat.io], resources: [roles]}"),
                    List.of()),
            new Case(
                    "all namespaces instead of one",
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods]}"),
                    List.of("* {verbs: [get], apiGroups: [''], resources: [pods]}"),
                    List.of("+ USER jane: get pods everywhere except in a")),
            new Case(
                    "all names instead of one",
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods], resourceNames: [x]}"),
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods]}"),
                    List.of("+ USER jane: get pods except those named x in a")),
            new Case(
                    "an empty name covers nothing",
                    List.of(),
                    List.of("a {verbs: [get], apiGroups: [''], resources: [pods], resourceNames: ['']}"),
                    List.of()),
            new Case(
                    "a subset of everything",
                    List.of("* " + EVERYTHING),
                    List.of("* {verbs: ['*'], apiGroups: ['*'], resources: ['*/scale']}"),
                    List.of("- USER jane: every verb on everything but */scale everywhere")),
            new Case(
                    "a path in a namespaced binding has no effect",
                    List.of(),
                    List.of("a {verbs: [get], nonResourceURLs: ['/x']}"),
                    List.of()),
            new Case(
                    "fewer paths",
                    List.of("* {verbs: [get, put], nonResourceURLs: ['/x/*']}"),
                    List.of("* {verbs: [get], nonResourceURLs: ['/x/y', '/z']}"),
                    List.of("+ USER jane: get /z", "- USER jane: put /x/*", "- USER jane: get /x/* but /x/y")),
            new Case(
                    "access of everybody is not reported for one",
                    List.of("{\"spec\": {\"user\": \"*\", \"resource\": \"pods\", \"namespace\": \"*\"}}"),
                    List.of(
                            "a {verbs: [get], apiGroups: [''], resources: [pods, pods/log]}",
                            "{\"spec\": {\"user\": \"*\", \"resource\": \"pods\", \"namespace\": \"*\"}}"),
                    List.of()),
            new Case(
                    "a user in a group has the access of both",
                    List.of("{\"spec\": {\"group\": \"dev\", \"resource\": \"pods\", \"namespace\": \"a\"}}"),
                    List.of(
                            "{\"spec\": {\"group\": \"dev\", \"resource\": \"pods\", \"namespace\": \"a\"}}",
                            "{\"spec\": {\"group\": \"dev\", \"user\": \"jo\", \"resource\": \"*\", \"namespace\": \"a\","
                                    + " \"readonly\": true}}"),
                    List.of("+ USER jo in dev: get, list, watch everything but pods, pods/* of the core group in a")),
            new Case(
                    "a line without a namespace",
                    List.of("{\"spec\": {\"user\": \"jo\", \"resource\": \"nodes\"}}"),
                    List.of(),
                    List.of("- USER jo: every verb on nodes, nodes/* outside of namespaces")),
            new Case(
                    "a line with a slash has no effect",
                    List.of("{\"spec\": {\"user\": \"jo\", \"resource\": \"pods/log\", \"namespace\": \"a\"}}"),
                    List.of(),
                    List.of()));

    @ParameterizedTest
    @FieldSource("CASES")
    void grantsAndRevocationsAreReported(Case one) throws ProblemsException {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        PolicyChange change = PolicyChange.between(access(one.before, vocabulary), access(one.after, vocabulary));

        assertThat(expected(change)).containsExactlyInAnyOrderElementsOf(one.expected);
        assertThat(change.isEmpty()).isEqualTo(one.expected.isEmpty());
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void theReverseChangeIsTheOpposite(Case one) throws ProblemsException {
        PolicyAccess.Vocabulary vocabulary = new PolicyAccess.Vocabulary();
        PolicyChange change = PolicyChange.between(access(one.after, vocabulary), access(one.before, vocabulary));

        assertThat(expected(change))
                .containsExactlyInAnyOrderElementsOf(one.expected.stream()
                        .map(line -> (line.startsWith("+") ? "-" : "+") + line.substring(1))
                        .toList());
    }

    private static List<String> expected(PolicyChange change) {
        List<String> expected = new ArrayList<>();
        Map.of("+", change.granted(), "-", change.revoked())
                .forEach((sign, side) -> side.forEach((who, set) -> set.rows()
                        .forEach(row -> expected.add(sign + " " + who.kind() + " " + who.name()
                                + (who.inGroup().isEmpty() ? "" : " in " + who.inGroup()) + ": " + row.text()))));
        return expected;
    }

    private static PolicyAccess access(List<String> policy, PolicyAccess.Vocabulary vocabulary)
            throws ProblemsException {
        StringBuilder lines = new StringBuilder();
        RbacManifestReader reader = new RbacManifestReader();
        int number = 0;
        for (String one : policy) {
            if (one.startsWith("{")) {
                lines.append(
                                one.replace(
                                        "{\"spec\"",
                                        "{\"apiVersion\": \"abac.authorization.kubernetes.io/v1beta1\", \"kind\": \"Policy\", \"spec\""))
                        .append('\n');
            } else {
                reader.add("roles.yaml", manifests(one, "r" + number++));
            }
        }
        return new PolicyAccess.Builder(vocabulary)
                .add(AbacFile.parse("lines", lines.toString()))
                .add(reader.finish().policy())
                .build();
    }

    private static String manifests(String rule, String name) {
        String namespace = rule.substring(0, 1);
        boolean everywhere = namespace.equals("*");
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: %s}
                rules: [%s]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %s
                metadata: {name: %s, namespace: %s}
                subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]
                roleRef: {kind: ClusterRole, name: %s, apiGroup: rbac.authorization.k8s.io}
                """.formatted(
                        name,
                        rule.substring(2),
                        everywhere ? "ClusterRoleBinding" : "RoleBinding",
                        name,
                        everywhere ? "''" : namespace,
                        name);
    }
}
