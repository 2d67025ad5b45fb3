package io.plat.cli;

import static io.plat.cli.CommandRun.plat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** {@code plat lint}: findings, locations and output. */
final class LintTest {
    @TempDir
    private Path directory = Path.of("");

    /** A policy and its findings: line and id. */
    record Case(String name, String file, String text, List<String> ruleIds) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static String role(String rules) {
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: r}
                rules:
                %s
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: b}
                subjects: [{kind: User, name: jane}]
                roleRef: {kind: ClusterRole, name: r}
                """.formatted(rules);
    }

    private static String binding(String kind, String subjects, String ref) {
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: %s
                metadata: {name: b%s}
                subjects: [%s]
                roleRef: {%s}
                """.formatted(kind, kind.equals("RoleBinding") ? ", namespace: a" : "", subjects, ref);
    }

    private static String line(String spec) {
        return "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{" + spec
                + "}}\n";
    }

    /** A role with a rule that aggregates one that may read pods. */
    private static String aggregating(String own) {
        return """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: part, labels: {gathered: 'true'}}
                rules: [{verbs: [get], apiGroups: [''], resources: [pods]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: whole}
                aggregationRule: {clusterRoleSelectors: [{matchLabels: {gathered: 'true'}}]}
                rules:
                %s
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: b}
                subjects: [{kind: User, name: jo, apiGroup: rbac.authorization.k8s.io}]
                roleRef: {kind: ClusterRole, name: whole, apiGroup: rbac.authorization.k8s.io}
                """.formatted(own);
    }

    private static Case roles(String name, String text, String... ruleIds) {
        return new Case(name, "policy.yaml", text, List.of(ruleIds));
    }

    private static Case lines(String name, String text, String... ruleIds) {
        return new Case(name, "policy.jsonl", text, List.of(ruleIds));
    }

    private static final String PODS = "- {verbs: [get], apiGroups: [''], resources: [pods]}";
    private static final String VIEW = "kind: ClusterRole, name: view";

    static final List<Case> CASES = List.of(
            roles("no finding", role(PODS)),
            roles("a missing role", binding("RoleBinding", "", "kind: Role, name: gone"), "1 dangling-role"),
            roles("a default role", binding("RoleBinding", "", VIEW)),
            roles(
                    "a user named like a group",
                    binding("RoleBinding", "{kind: User, name: 'system:authenticated'}", VIEW),
                    "1 impossible-subject"),
            roles(
                    "an invalid service account",
                    binding("RoleBinding", "{kind: ServiceAccount, name: Big_One}", VIEW),
                    "1 impossible-subject"),
            roles(
                    "a wildcard as a group",
                    binding("RoleBinding", "{kind: Group, name: '*'}", VIEW),
                    "1 impossible-subject"),
            roles(
                    "a duplicate subject",
                    binding("RoleBinding", "{kind: User, name: jo}, {kind: User, name: jo}", VIEW),
                    "1 duplicate-subject"),
            roles(
                    "an unbound role",
                    "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: r}\nrules: []\n",
                    "1 unbound-role"),
            roles("a duplicate rule", role(PODS + "\n" + PODS), "6 duplicate-rule"),
            roles("a rule covered by two others", role("""
                            - {verbs: [get, list], apiGroups: [''], resources: [pods, nodes]}
                            - {verbs: [get], apiGroups: ['', apps], resources: [pods]}
                            - {verbs: [list], apiGroups: ['', apps], resources: [pods]}
                            - {verbs: [get, list], apiGroups: [''], resources: [nodes]}"""), "8 shadowed-rule"),
            roles(
                    "names of objects to be created",
                    role("- {verbs: [create], apiGroups: [''], resources: [pods], resourceNames: [x]}"),
                    "5 dead-rule"),
            roles(
                    "a wildcard as a subresource",
                    role("- {verbs: [get], apiGroups: [''], resources: ['pods/*']}"),
                    "5 dead-rule"),
            roles("aggregated rules in an aggregating role", aggregating(PODS)),
            roles(
                    "own rules in an aggregating role",
                    aggregating("- {verbs: [list], apiGroups: [''], resources: [pods]}"),
                    "6 dead-rule"),
            roles(
                    "a path in a namespaced binding",
                    role("- {verbs: [get], nonResourceURLs: [/x]}")
                            .replace(
                                    "kind: ClusterRoleBinding\nmetadata: {name: b}",
                                    "kind: RoleBinding\nmetadata: {name: b, namespace: a}"),
                    "5 dead-rule"),
            roles(
                    "a wildcard and secrets",
                    role("- {verbs: ['*'], apiGroups: [''], resources: [secrets]}"),
                    "5 secret-access",
                    "5 wildcard"),
            roles(
                    "impersonation",
                    role("- {verbs: [impersonate], apiGroups: [''], resources: [users, groups]}"),
                    "7 climb-impersonate"),
            roles(
                    "binding a role with more rights",
                    role("- {verbs: [bind, create], apiGroups: [rbac.authorization.k8s.io],"
                            + " resources: [clusterroles, clusterrolebindings]}"),
                    "7 climb-bind"),
            roles(
                    "escalating",
                    role(
                            "- {verbs: [escalate, update], apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles]}"),
                    "7 climb-escalate"),
            roles(
                    "certificates",
                    role("- {verbs: [create, update, approve], apiGroups: [certificates.k8s.io], resources:"
                            + " [certificatesigningrequests, certificatesigningrequests/approval, signers]}"),
                    "7 climb-certificate"),
            roles(
                    "a pod and a token of a more privileged account",
                    role("- {verbs: [create], apiGroups: [''], resources: [pods, serviceaccounts/token]}") + "---\n"
                            + binding("RoleBinding", "{kind: ServiceAccount, name: bot}", "kind: ClusterRole, name: s")
                            + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: s}\n"
                            + "rules: [{verbs: [delete], apiGroups: [''], resources: [pods]}]\n",
                    "7 climb-pod",
                    "7 climb-token"),
            roles(
                    "a command in a pod of a more privileged account",
                    role("- {verbs: [get], apiGroups: [''], resources: [pods/exec]}") + "---\n"
                            + binding("RoleBinding", "{kind: ServiceAccount, name: bot}", "kind: ClusterRole, name: s")
                            + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: s}\n"
                            + "rules: [{verbs: [delete], apiGroups: [''], resources: [pods]}]\n",
                    "7 climb-exec"),
            roles(
                    "binding one role by its name",
                    role(
                                    "- {verbs: [bind], apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], resourceNames: [s]}\n"
                                            + "- {verbs: [create], apiGroups: [rbac.authorization.k8s.io], resources: [clusterrolebindings]}")
                            + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: s}\n"
                            + "rules: [{verbs: [delete], apiGroups: [''], resources: [nodes]}]\n",
                    "14 unbound-role",
                    "8 climb-bind"),
            lines("a valid line", line("\"user\":\"jo\",\"namespace\":\"a\",\"resource\":\"pods\"")),
            lines("a line without a subject", line("\"namespace\":\"a\",\"resource\":\"pods\""), "1 dead-line"),
            lines("a line without a resource", "\n" + line("\"user\":\"jo\""), "2 dead-line"),
            lines(
                    "a line with a subresource",
                    line("\"user\":\"jo\",\"namespace\":\"a\",\"resource\":\"pods/log\""),
                    "1 dead-line"),
            lines(
                    "a duplicate line",
                    line("\"user\":\"jo\",\"namespace\":\"a\",\"resource\":\"pods\"")
                            .repeat(2),
                    "2 duplicate-line"),
            lines(
                    "a line covered by another",
                    line("\"user\":\"jo\",\"namespace\":\"a\",\"resource\":\"pods\",\"readonly\":true")
                            + line("\"user\":\"jo\",\"namespace\":\"a\",\"resource\":\"pods\""),
                    "1 shadowed-line"),
            lines(
                    "a line with wildcards",
                    line("\"user\":\"jo\",\"namespace\":\"*\",\"resource\":\"secrets\""),
                    "1 secret-access",
                    "1 wildcard"));

    @ParameterizedTest
    @FieldSource("CASES")
    void findingsAreReported(Case one) throws IOException {
        Path file = Files.writeString(directory.resolve(one.file), one.text);

        CommandRun run = plat("lint", file.toString());

        List<String> ruleIds = run.out()
                .lines()
                .filter(line -> line.endsWith("]"))
                .map(line -> line.substring(file.toString().length() + 1))
                .map(line -> line.substring(0, line.indexOf(':')) + " "
                        + line.substring(line.lastIndexOf('[') + 1, line.length() - 1))
                .sorted()
                .toList();
        assertThat(ruleIds).as(run.toString()).containsExactlyElementsOf(one.ruleIds);
        assertThat(run.status()).isEqualTo(one.ruleIds.isEmpty() ? 0 : 1);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void escalationIsReportedAsAPath() throws IOException {
        Path file = Files.writeString(
                directory.resolve("p.yaml"),
                role("- {verbs: [create], apiGroups: [''], resources: [pods]}") + "---\n"
                        + binding(
                                        "ClusterRoleBinding",
                                        "{kind: ServiceAccount, namespace: ops, name: bot}",
                                        "kind: ClusterRole, name: s")
                                .replace("{name: b}", "{name: c}")
                        + "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: s}\n"
                        + "rules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}]\n");

        assertThat(plat("lint", file.toString(), "--ignore", "wildcard,secret-access")
                        .out())
                .isEqualTo("""
                %s:7: warning: User jane, who may create pods in namespace ops, can gain every right [climb-pod]
                    User jane -> create pods in namespace ops -> ServiceAccount ops/bot -> every right
                found 1 warning
                """.formatted(file));
        assertThat(plat("lint", file.toString(), "--severity", "error").status())
                .isZero();
    }

    @Test
    void commentSuppressesAFinding() throws IOException {
        String rule = "- {verbs: ['*'], apiGroups: [''], resources: [nodes]}";
        Path file = directory.resolve("p.yaml");
        for (String known : List.of(
                rule + " # plat:ignore wildcard: they are admins",
                "# plat:ignore wildcard, dead-rule: they are admins\n# and more of it\n" + rule,
                rule + "\n# plat:ignore-file wildcard")) {
            Files.writeString(file, role(known));
            assertThat(plat("lint", file.toString())).isEqualTo(new CommandRun(0, "nothing found\n", ""));
        }
        Files.writeString(file, role("# plat:ignore dead-rule\n" + rule));
        assertThat(plat("lint", file.toString()).status()).isEqualTo(1);
    }

    @Test
    void findingsArePrintedAsJsonAndSarif() throws IOException {
        Path file =
                Files.writeString(directory.resolve("p.yaml"), binding("RoleBinding", "", "kind: Role, name: gone"));

        assertThat(plat("lint", file.toString(), "-o", "json").out()).isEqualTo("""
                [
                  {
                    "id" : "dangling-role",
                    "severity" : "error",
                    "source" : {
                      "file" : "%s",
                      "line" : 1
                    },
                    "message" : "RoleBinding/a/b refers to Role \\"gone\\", which does not exist",
                    "path" : [ ]
                  }
                ]
                """.formatted(file));
        assertThat(plat("lint", file.toString(), "-o", "sarif").out())
                .contains(
                        "\"version\" : \"2.1.0\"",
                        "\"ruleId\" : \"dangling-role\"",
                        "\"startLine\" : 1",
                        "\"level\" : \"error\"");
    }

    @Test
    void wrongCommandLinesAreRefused() {
        assertThat(plat("lint").status()).isEqualTo(2);
        assertThat(plat("lint", ".", "--ignore", "nonsense").status()).isEqualTo(2);
        assertThat(plat("lint", ".", "-o", "junit").status()).isEqualTo(2);
        assertThat(plat("lint", directory.resolve("gone").toString()).status()).isEqualTo(3);
    }

    @Test
    void problemsOfAHostileFileAreBounded() throws IOException {
        Path file = Files.writeString(directory.resolve("documents.yaml"), "--- {}\n".repeat(5_000));
        CommandRun run = plat("lint", file.toString());
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err().lines()).hasSize(101).last().asString().matches("plat: and \\d+ more");
    }

    @Test
    void findingsOfAHostileFileAreBoundedAndCounted() throws IOException {
        String rule = "- {apiGroups: [''], resources: [pods], verbs: [get]}\n";
        Path file = Files.writeString(directory.resolve("rules.yaml"), role(rule.repeat(1_201)));
        CommandRun text = plat("lint", file.toString());
        assertThat(text.status()).isEqualTo(1);
        assertThat(text.out().lines()).hasSize(101).last().asString().matches("found 1200 [a-z]+");
        assertThat(text.err())
                .isEqualTo("warning: 1100 more findings are left out; at most 100 of a file are printed\n");
        for (String format : List.of("json", "sarif")) {
            CommandRun document = plat("lint", file.toString(), "-o", format);
            assertThat(document.status()).isEqualTo(1);
            assertThat(document.out().split("\"message\"", -1).length - 1)
                    .as(format)
                    .isBetween(1_000, 2_000);
            assertThat(document.err())
                    .isEqualTo("warning: 200 more findings are left out; at most 1000 of a file are printed\n");
        }
    }
}
