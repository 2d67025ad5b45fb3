package io.plat.cli;

import static io.plat.cli.CommandRun.plat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plat convert}: conversions, and the parts that cannot be converted. */
final class ConvertTest {
    @TempDir
    private Path directory = Path.of("");

    private String lines(String... specs) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String spec : specs) {
            text.append("{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{")
                    .append(spec.replace('\'', '"'))
                    .append("}}\n");
        }
        return Files.writeString(directory.resolve("lines.jsonl"), text).toString();
    }

    private String roles(String rules) throws IOException {
        return Files.writeString(directory.resolve("roles.yaml"), """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: r}
                        rules: [%s]
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: b}
                        subjects: [{kind: User, name: jane}]
                        roleRef: {kind: ClusterRole, name: r}
                        """.formatted(rules))
                .toString();
    }

    @Test
    void lineBecomesARoleAndABinding() throws IOException {
        assertThat(
                        plat(
                                "convert",
                                lines(
                                        "'user':'jane','namespace':'a','apiGroup':'apps','resource':'deployments','readonly':true")))
                .isEqualTo(new CommandRun(
                        0, """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        metadata:
                          name: from-abac-1
                          namespace: a
                        rules:
                        - apiGroups:
                          - apps
                          resources:
                          - deployments
                          - deployments/scale
                          - deployments/status
                          verbs:
                          - get
                          - list
                          - watch
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: RoleBinding
                        metadata:
                          name: from-abac-1
                          namespace: a
                        subjects:
                        - kind: User
                          apiGroup: rbac.authorization.k8s.io
                          name: jane
                        roleRef:
                          apiGroup: rbac.authorization.k8s.io
                          kind: Role
                          name: from-abac-1
                        """, "warning: assumed: built-in types have only the subresources of Kubernetes\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            'user':'jo','group':'dev','namespace':'a','resource':'pods'  | a user within a group
            'user':'jo','resource':'pods'                                | requests without a namespace
            'user':'jo','resource':'*','apiGroup':'*'                    | requests without a namespace
            'user':'jo','namespace':'a/b','resource':'pods'              | metadata.namespace
            """)
    void inexpressibleLinesAreListed(String spec, String cause) throws IOException {
        String file = lines(spec);

        CommandRun run = plat("convert", file);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("warning: " + file + ":1: cannot be converted to role objects")
                .contains(cause);
    }

    @Test
    void assumptionsAreListed() throws IOException {
        CommandRun run = plat(
                "convert",
                lines(
                        "'user':'*','namespace':'*','resource':'widgets','apiGroup':'x.io'",
                        "'group':'ops','resource':'nodes'"));

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEqualTo("""
                warning: assumed: every request is in system:authenticated or in system:unauthenticated, which replace user "*"
                warning: assumed: widgets has only the subresources status and scale
                warning: assumed: no request for nodes has a namespace
                warning: assumed: built-in types have only the subresources of Kubernetes
                """);
    }

    @Test
    void expressibleRulesBecomeLines() throws IOException {
        String file =
                roles("{verbs: ['*'], apiGroups: ['*'], resources: ['*']}, {verbs: ['*'], nonResourceURLs: ['*']}");

        assertThat(plat("convert", "--to", "abac", file)).isEqualTo(new CommandRun(0, """
                {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"jane","nonResourcePath":"*"}}
                {"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"jane","namespace":"*",\
                "apiGroup":"*","resource":"*"}}
                """, ""));
        assertThat(plat("convert", file)).isEqualTo(plat("convert", "--to", "abac", file));
    }

    @Test
    void inexpressibleRulesAreListedWithTheReason() throws IOException {
        String file = roles("{verbs: [get, list, watch, delete], apiGroups: [''], resources: [configmaps]},"
                + " {verbs: [get], apiGroups: [''], resources: [secrets], resourceNames: [x]}");

        CommandRun run = plat("convert", "--to", "abac", file);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out())
                .contains("\"resource\":\"configmaps\",\"readonly\":true")
                .doesNotContain("secrets");
        assertThat(run.err()).isEqualTo("""
                warning: cannot be converted to policy lines: User jane: delete configmaps everywhere
                warning: cannot be converted to policy lines: User jane: get secrets named x everywhere
                """);
    }

    @Test
    void roundTripPreservesThePolicy() throws IOException {
        String file = lines(
                "'user':'jane','namespace':'a','resource':'pods'",
                "'group':'dev','namespace':'*','apiGroup':'*','resource':'*','readonly':true",
                "'user':'system:serviceaccount:a:bot','nonResourcePath':'/api/*','readonly':true");
        String roles = Files.writeString(
                        directory.resolve("there.yaml"), plat("convert", file).out())
                .toString();
        String back = Files.writeString(
                        directory.resolve("back.jsonl"),
                        plat("convert", "--to", "abac", roles).out())
                .toString();

        assertThat(plat("diff", file, back)).isEqualTo(new CommandRun(0, "no access is granted or revoked\n", ""));
    }

    @Test
    void jsonIsOneDocument() throws IOException {
        assertThat(plat("convert", lines("'user':'jane','namespace':'a','resource':'*'"), "-o", "json")
                        .out())
                .startsWith("{\n  \"apiVersion\" : \"v1\",\n  \"kind\" : \"List\",");
    }

    @Test
    void wrongInputFormatIsRefused() throws IOException {
        assertThat(plat("convert", "--to", "rbac", roles("")).status()).isEqualTo(2);
        assertThat(plat("convert", "--to", "abac", lines("'user':'jane'")).status())
                .isEqualTo(2);
        assertThat(plat("convert").status()).isEqualTo(2);
    }
}
