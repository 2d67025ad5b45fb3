package io.plat.cli;

import static io.plat.cli.CommandRun.plat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat test}: results of cases, and the strength of tests. */
final class PolicyTestTest {
    private static final String GOOD = """
            kind: PolicyTest
            policies: [roles.yaml]
            users:
              jane: [dev]
            cases:
            - {name: jane reads pods, user: jane, verb: get, resource: pods, namespace: a, expect: allow, reason: readers}
            - {name: nobody else does, user: joe, verb: get, resource: pods, namespace: a, expect: deny}
            - {user: joe, groups: [dev], verb: get, resource: pods/log, namespace: a, expect: deny}
            - {user: joe, verb: get, path: /version, expect: deny}
            - {name: x, user: jane, verb: get, resource: secrets, namespace: a, expect: allow}
            - {name: z, user: jane, verb: get, resource: secrets, namespace: a, expect: deny}
            """;

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void writePolicy() throws IOException {
        Files.writeString(directory.resolve("roles.yaml"), """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader, namespace: a}
                rules:
                - {apiGroups: [""], resources: [pods], verbs: [get]}
                - {apiGroups: [""], resources: [secrets], resourceNames: [x], verbs: [get]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: readers, namespace: a}
                subjects: [{kind: Group, name: dev}]
                roleRef: {kind: Role, name: reader}
                """);
    }

    private String test(String text) throws IOException {
        return Files.writeString(directory.resolve("tests.yaml"), text).toString();
    }

    @Test
    void casesThatAreAsExpectedPass() throws IOException {
        String file = test(GOOD);
        assertThat(plat("test", file))
                .isEqualTo(new CommandRun(
                        0,
                        "6 passed, 0 failed\n",
                        "warning: " + file + ": user \"joe\" is named neither by the policy nor in users:\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                user: jnae, verb: get, resource: pods, namespace: a   | user "jnae" is named neither by the policy nor in users:, did you mean "jane"?
                user: jane, verb: gte, resource: pods, namespace: a   | unknown verb "gte", did you mean "get"?
                user: jane, verb: gte, path: /version                 | unknown verb "gte", did you mean "get"?
                user: jane, verb: get, resource: podz, namespace: a   | unknown resource type "podz", did you mean "pods"?
                user: jane, verb: get, resource: po, namespace: a     | unknown resource type "po"
                user: jane, verb: get, resource: pods, namespace: team-aa | namespace "team-aa" is named neither by the policy nor in namespaces:, did you mean "team-a"?
                """)
    void misspelledNameFailsTheCase(String names, String cause) throws IOException {
        CommandRun run = plat("test", test("""
                kind: PolicyTest
                policies: [roles.yaml]
                users: {jane: [dev]}
                namespaces: [team-a]
                cases:
                - {name: one, %s, expect: deny}
                """.formatted(names)));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("tests.yaml:6: one: " + cause).endsWith("0 passed, 1 failed\n");
    }

    @Test
    void declaredNamesAreKnown() throws IOException {
        assertThat(plat("test", test("""
                kind: PolicyTest
                policies: [roles.yaml]
                users: {jane: [dev], jan: []}
                namespaces: [b]
                resources: [widgets]
                cases:
                - {user: jan, verb: get, resource: widgets/status, apiGroup: example.org, namespace: b, expect: deny}
                - {user: system:anonymous, verb: impersonate, resource: users, expect: deny}
                """))).isEqualTo(new CommandRun(0, "2 passed, 0 failed\n", ""));
    }

    @Test
    void failedCaseShowsReasonAndPosition() throws IOException {
        String file = test(GOOD.replace("/version, expect: deny", "/version, expect: allow")
                .replace("reason: readers", "reason: writers"));

        CommandRun run = plat("test", file);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out().lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "FAIL " + file + ":6: jane reads pods: expected a reason with \"writers\", was: RBAC"))
                .contains("FAIL " + file + ":9: case 4: expected allow, was deny: no RBAC policy matched")
                .endsWith("4 passed, 2 failed");
    }

    @Test
    void untestedRulesAreReported() throws IOException {
        String file = test(GOOD);
        String rules = directory.resolve("roles.yaml").toString();

        assertThat(plat("test", "--coverage", file).out()).isEqualTo("""
                6 passed, 0 failed
                coverage 100 %%: 2 of 2 rules and lines allow a case
                mutation 57 %%: 4 of 7 changes break a case
                  not detected: with verbs *: %1$s:5 {"verbs":["get"],"apiGroups":[""],"resources":["pods"]}
                  not detected: with verbs *: %1$s:6 {"verbs":["get"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["x"]}
                  not detected: with resources *: %1$s:6 {"verbs":["get"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["x"]}
                """.formatted(rules));
    }

    @ParameterizedTest
    @CsvSource({
        "--mutation-threshold=57, 0",
        "--mutation-threshold=58, 1",
        "--coverage-threshold=100, 0",
        "--coverage-threshold=101, 2",
        "--mutation-threshold=-1, 2"
    })
    void unmetThresholdFails(String threshold, int status) throws IOException {
        assertThat(plat("test", threshold, test(GOOD)).status()).isEqualTo(status);
    }

    @Test
    void unusedRuleIsNotCovered() throws IOException {
        String file = test("""
                kind: PolicyTest
                policies: [roles.yaml]
                cases: [{user: jane, groups: [dev], verb: get, resource: pods, namespace: a, expect: allow}]
                """);

        CommandRun run = plat("test", "--coverage-threshold", "51", file);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("coverage 50 %: 1 of 2")
                .contains("not covered: ")
                .contains("roles.yaml:6 ");
    }

    @Test
    void resultsArePrintedAsJUnitXmlAndJson() throws IOException {
        String file = test("""
                kind: PolicyTest
                policies: [roles.yaml]
                cases:
                - {name: "<a> & \\"b\\"", user: joe, verb: get, resource: pods, namespace: a, expect: allow}
                - {name: fine, user: joe, verb: get, resource: pods, namespace: b, expect: deny}
                """);

        assertThat(plat("test", "-o", "junit", file).out()).isEqualTo("""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="2" failures="1" errors="0">
                  <testsuite name="%1$s" tests="2" failures="1" errors="0">
                    <testcase classname="%1$s" name="&lt;a&gt; &amp; &quot;b&quot;" line="4">
                      <failure message="expected allow, was deny: no RBAC policy matched"/>
                    </testcase>
                    <testcase classname="%1$s" name="fine" line="5"/>
                  </testsuite>
                </testsuites>
                """.formatted(file));
        assertThat(plat("test", "-o", "junit", "--coverage-threshold", "100", file)
                        .out())
                .contains(
                        "<testsuites tests=\"3\" failures=\"2\" errors=\"0\">",
                        "<testcase classname=\"thresholds\" name=\"coverage\">",
                        "% is below --coverage-threshold 100\"/>");
        assertThat(plat("test", "-o", "json", file).out())
                .contains("\"passed\" : 1", "\"failed\" : 1", "\"expected\" : \"allow\"", "\"was\" : \"deny\"");
    }

    @Test
    void fileOfAnotherKindHasOneProblemPerDocument() {
        String roles = directory.resolve("roles.yaml").toString();
        assertThat(plat("test", roles).err()).isEqualTo("""
                        plat: %1$s:2: kind: expected "PolicyTest", found "Role"; --init prints a first test of a policy
                        plat: %1$s:9: kind: expected "PolicyTest", found "RoleBinding"; --init prints a first test of a policy
                        """.formatted(roles));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kind: Policy                                                   | kind: expected "PolicyTest", found "Policy"; --init prints a first test of a policy
            kind: PolicyTest                                               | policies: expected at least one path
            kind: PolicyTest\\npolicies: [roles.yaml]\\nextra: 1            | unknown field "extra"
            kind: PolicyTest\\npolicies: [roles.yaml]\\ncases: [{}]         | cases[0].verb: required
            kind: PolicyTest\\npolicies: [roles.yaml]\\ncases: [{expect: maybe, verb: get, user: a, path: /}] | expected "allow" or "deny"
            kind: PolicyTest\\npolicies: [roles.yaml]\\ncases: [{expect: deny, verb: get, user: a}]           | either a resource or a path
            kind: PolicyTest\\npolicies: [roles.yaml]\\ncases: [{expect: deny, verb: get, path: /}]           | expected a user
            kind: PolicyTest\\npolicies: [gone.yaml]                        | gone.yaml: cannot read: no such file
            """)
    void unreadableTestIsUndetermined(String text, String problem) throws IOException {
        CommandRun run = plat("test", test(text.replace("\\n", "\n")));

        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(problem);
    }
}
