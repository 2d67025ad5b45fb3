package io.plat.apiserver.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyReaderTest {
    @TempDir
    Path directory = Path.of("");

    private List<String> problems(String text) throws IOException {
        Path file = directory.resolve("policy.yaml");
        Files.writeString(file, text);
        ProblemsException refused = catchThrowableOfType(ProblemsException.class, () -> PolicyReader.read(file));
        return refused.problems().stream()
                .map(problem -> problem.toString().replace(directory + "/", ""))
                .toList();
    }

    @Test
    void allProblemsAreReportedWithTheirLines() throws IOException {
        assertThat(problems("""
            apiVersion: audit.k8s.io/v1beta1
            kind: Policies
            omitStages: [Received]
            rules:
            - level: metadata
            - users: [1]
            - level: Metadata
              verb: [get]
            - level: Metadata
              nonResourceURLs: [version, "/a*b", "*"]
              namespaces: [a]
            - level: None
              resources:
              - group: apps/v1
              - resourceNames: [a]
            """))
                .containsExactly(
                        "policy.yaml:1: apiVersion: expected \"audit.k8s.io/v1\", found \"audit.k8s.io/v1beta1\"",
                        "policy.yaml:2: kind: expected \"Policy\", found \"Policies\"",
                        "policy.yaml:3: omitStages: expected any of RequestReceived, ResponseStarted,"
                                + " ResponseComplete, Panic, found \"Received\"",
                        "policy.yaml:5: rules[0].level: expected one of None, Metadata, Request, RequestResponse,"
                                + " found \"metadata\"",
                        "policy.yaml:6: rules[1].level: required",
                        "policy.yaml:6: rules[1].users[0]: expected a string, found an integer",
                        "policy.yaml:8: rules[2]: unknown field \"verb\", did you mean \"verbs\"?",
                        "policy.yaml:10: rules[3].nonResourceURLs: expected a path that begins with /, or *, found"
                                + " \"version\"",
                        "policy.yaml:10: rules[3].nonResourceURLs: expected a * at the end only, found \"/a*b\"",
                        "policy.yaml:10: rules[3].nonResourceURLs: a rule cannot apply to both resources and"
                                + " non-resource URLs",
                        "policy.yaml:14: rules[4].resources[0].group: expected an API group such as apps, without a"
                                + " version, found \"apps/v1\"",
                        "policy.yaml:15: rules[4].resources[1].resourceNames: requires at least one resource in"
                                + " resources");
    }

    @Test
    void policyWithoutRulesIsRefused() throws IOException {
        assertThat(problems("apiVersion: audit.k8s.io/v1\nkind: Policy\n"))
                .singleElement()
                .asString()
                .contains("rules: expected at least one rule");
    }

    @Test
    void fileHoldsOnePolicy() throws IOException {
        assertThat(problems("kind: Policy\n---\nkind: Policy\n"))
                .containsExactly("policy.yaml: expected one document of kind Policy, found 2");
        assertThat(problems("")).containsExactly("policy.yaml: expected one document of kind Policy, found 0");
    }

    @Test
    void missingFileIsReported() {
        assertThat(catchThrowableOfType(ProblemsException.class, () -> PolicyReader.read(directory.resolve("none"))))
                .hasMessageContaining("no such file");
    }
}
