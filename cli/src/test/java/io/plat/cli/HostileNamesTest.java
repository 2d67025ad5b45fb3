package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.output.TerminalWriter;
import io.plat.review.source.Quoted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names in policy files that a terminal, a spreadsheet or a browser would interpret: every command escapes them. */
final class HostileNamesTest {
    /** One character of each kind: C0, DEL, C1, bidirectional, zero-width, separators, tags (beyond 16 bits), invisible letters. */
    private static final String HOSTILE =
            "\u001b[2J\u0007\u007f\u009b31m\u202e\u2066\u200b\ufeff\u2028\u2029\u0085\udb40\udc41\u00ad\u3164\ufe0f\u2800\ue000\ufdd0";

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void policies() throws IOException {
        write("roles.json", """
                {"apiVersion": "v1", "kind": "List", "items": [
                  {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r@"},
                   "rules": [{"verbs": ["get", "@"], "apiGroups": ["@", ""], "resources": ["pods", "@"], "resourceNames": ["@"]},
                             {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]},
                  {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "b@"},
                   "subjects": [{"kind": "User", "name": "=cmd()@"}, {"kind": "Group", "name": "@\\n+g"}, {"kind": "User", "name": "+1@"}],
                   "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r@"}}]}
                """);
        write("lines.jsonl", """
                {"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Policy", "spec": {"user": "-u@", "resource": "@", "apiGroup": "@", "namespace": "@"}}
                """);
        write("test.json", """
                {"kind": "PolicyTest", "policies": ["roles.json"], "users": {"u@": ["g@"]},
                 "cases": [{"name": "c@", "user": "u@", "verb": "get", "resource": "pods", "namespace": "n@", "expect": "allow"}]}
                """);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text.replace("@", escapes()));
    }

    private static String escapes() {
        var escapes = new StringBuilder();
        HOSTILE.chars().forEach(c -> escapes.append(String.format("\\u%04x", c)));
        return escapes.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "who-can get pods --authorization-rbac-path roles.json",
                "who-can get pods --authorization-policy-file lines.jsonl",
                "why get pods --as =cmd()@ --authorization-rbac-path roles.json",
                "why get @ --as u@ --suggest --authorization-policy-file lines.jsonl",
                "can-i get pods --as =cmd()@ --authorization-rbac-path roles.json",
                "can-i get @ --as @ -n @ --authorization-policy-file lines.jsonl",
                "can-i --list --as =cmd()@ --authorization-rbac-path roles.json",
                "matrix pods --authorization-rbac-path roles.json",
                "matrix pods @ --verbs get,@ -o csv --authorization-rbac-path roles.json",
                "matrix pods @ -o html --authorization-rbac-path roles.json",
                "matrix @ -o csv --authorization-policy-file lines.jsonl",
                "lint roles.json",
                "lint -o sarif roles.json lines.jsonl",
                "convert lines.jsonl",
                "convert --to abac roles.json",
                "test test.json",
                "test test.json -o junit",
                "diff roles.json lines.jsonl",
                "@",
                "can-i --@",
                "lint @.json",
            })
    void hostileNamesAreEscaped(String line) {
        for (String format : line.contains("-o ") ? new String[] {""} : new String[] {"", " -o json", " -o yaml"}) {
            String[] arguments = (line + format)
                    .replace("roles.json", directory.resolve("roles.json").toString())
                    .replace("lines.jsonl", directory.resolve("lines.jsonl").toString())
                    .replace("test.json", directory.resolve("test.json").toString())
                    .split(" ");
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = arguments[i].replace("@", HOSTILE);
            }
            CommandRun run = CommandRun.plat(arguments);
            String all = run.out() + run.err();

            assertThat(Quoted.isSafe(all.replace("\n", "").replace("\t", "")))
                    .as(all)
                    .isTrue();
            assertThat(all).isNotEmpty().doesNotContain("[2J\u0007");
            assertThat(all.lines()).as(all).noneMatch(cell -> cell.startsWith("+g"));
            if (line.contains("csv")) {
                assertThat(run.out().lines()).isNotEmpty().noneMatch(row -> "=+-@".indexOf(row.charAt(0)) >= 0);
            }
        }
    }

    @Test
    void onlyOwnEscapeSequencesReachATerminal() throws IOException {
        var out = new ByteArrayOutputStream();
        try (var writer = new TerminalWriter(out, true)) {
            writer.write("\u001b[31mno\u001b[0m - \u001b[31;5m\u001b]0;title\u0007\u001b");
            writer.write("\r50 %");
            writer.write("a\rb");
        }

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("\u001b[31mno\u001b[0m - \\u001B[31;5m\\u001B]0;title\\u0007\\u001B\r50 %a\\u000Db");
    }
}
