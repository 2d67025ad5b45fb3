package io.plat.engine.rbac.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.ProblemsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** What is read the fast way is what the general reader reads, with the same places and the same problems. */
final class PlainManifestsTest {
    private static final String YAML = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              name: b
              namespace: a
            subjects:
            - kind: User
              name: jane
              apiGroup: rbac.authorization.k8s.io
            - kind: ServiceAccount
              name: bot
            roleRef:
              kind: Role
              name: r
              apiGroup: rbac.authorization.k8s.io
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: r
              creationTimestamp: 2024-05-01T10:00:00Z
              labels:
                app: 'x'
              annotations:
                kubectl.kubernetes.io/last-applied-configuration: |
                  {"kind":"ClusterRole","metadata":{"name":"r"},"rules":[]} # no comment
                why: "because"
                number: 12
                more: |-
                  --- one

                    two
                  three: |

            rules:
              - apiGroups:
                  - ""
                resources:
                  - pods
                  - pods/log
                verbs:
                  - "*"
              - nonResourceURLs:
                - /healthz
                verbs:
                - get
            ---
            apiVersion: v1
            items:
            - apiVersion: rbac.authorization.k8s.io/v1
              kind: ClusterRoleBinding
              metadata:
                name: c
              roleRef:
                kind: ClusterRole
                name: r
            - apiVersion: rbac.authorization.k8s.io/v1
              kind: Role
              metadata:
                name: s
                namespace: a
              rules:
              - apiGroups:
                - apps
                resourceNames:
                - one
                resources:
                - deployments
                verbs:
                - get
            kind: List
            metadata:
              resourceVersion: ""
            """;

    /** Objects of one shape after each other, as documents and in a list. */
    private static final String ALIKE = alike("""
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              annotations:
                kubectl.kubernetes.io/last-applied-configuration: |
                  {"metadata":{"name":"b$$"}}
                of: 'x$'
              creationTimestamp: "2024-05-01T10:00:00Z"
              name: b$
              namespace: n$
              uid: 7$
            roleRef:
              kind: Role
              name: r$
            subjects:
            - kind: ServiceAccount
              name: s$
              namespace: t$
            - kind: User
              name: u$
            ---
            # why

            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata:
              name: r$
              namespace: n$
            rules:
            - apiGroups:
              - apps
              resources:
              - pods
              verbs:
              - get
            """) + "---\napiVersion: v1\nkind: List\nitems:\n" + alike("""
            - apiVersion: rbac.authorization.k8s.io/v1
              kind: ClusterRole
              metadata:
                name: c$
              rules:
              - nonResourceURLs:
                - /healthz
                verbs:
                - get
            """);

    private static final List<String> YAML_LINES = List.of(
            "---",
            "--- # more",
            "---x",
            "...",
            "%YAML 1.1",
            "# why",
            "  # why",
            "",
            "apiVersion: rbac.authorization.k8s.io/v1",
            "apiVersion: rbac.authorization.plat.io/v1alpha1",
            "kind: RoleBinding",
            "kind: ClusterRoleBinding",
            "kind: Role",
            "kind: List",
            "items:",
            "metadata:",
            "  name: b",
            "  name: c",
            "  namespace: a",
            "  labels:",
            "  annotations:",
            "    a: |",
            "    a: |-",
            "    b: |+",
            "    c: |2",
            "    c: | x",
            "    c: >",
            "    c: w",
            "    app: |",
            "      {text: 1}",
            "      more",
            "        deeper # text",
            "     less",
            "      ",
            "       ",
            "      \ttab",
            "    app: 12",
            "    app: y",
            "  uid: 12",
            "subjects:",
            "rules:",
            "- kind: User",
            "  - kind: Group",
            "-   kind: Group",
            "  name: system:authenticated",
            "    name: jane",
            "  name: yes",
            "  name: 12",
            "  name: 'q'",
            "  name: \"q\"",
            "  name: 'q' x",
            "  name: a/b",
            "  name: é",
            "  namespace: x # why",
            "  namespace: x#y",
            "  apiGroup: rbac.authorization.k8s.io",
            "- kind: ServiceAccount",
            "- verbs:",
            "  verbs:",
            "  - get",
            "    - get",
            "- get",
            "  - get:",
            "  - - get",
            "  -",
            "  verbs: [get]",
            "  verbs: get",
            "      - pods",
            "    app",
            "  more words",
            "roleRef:",
            "  kind: ClusterRole",
            "  kind: Role",
            "  name: r",
            "  name: a: b",
            "  name: a:",
            "  name: &x a",
            "  name: *x",
            "  name: |",
            "\tname: x",
            "extra: x");

    private static final String JSON = """
            {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
              {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "RoleBinding",
                "metadata": {"name": "b", "namespace": "a", "uid": "1", "generation": 1, "annotations": {"x": "y"},
                  "managedFields": [{"f:x": {}}], "creationTimestamp": null},
                "subjects": [
                  {"kind": "User", "name": "jane", "apiGroup": "rbac.authorization.k8s.io"},
                  {"kind": "ServiceAccount", "name": "bot"}
                ],
                "roleRef": {"kind": "Role", "name": "r", "apiGroup": "rbac.authorization.k8s.io"}
              },
              {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRole",
                "metadata": {"name": "r", "labels": {"app": "x"}},
                "rules": [
                  {"apiGroups": [""], "resources": ["pods", "pods/log"],
                   "verbs": ["*"]},
                  {"nonResourceURLs": ["/healthz"], "verbs": ["get"]}
                ]
              }
            ]}
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "c"},
             "roleRef": {"kind": "ClusterRole", "name": "r"}}
            """;

    private static final String JSON_ALIKE =
            "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [" + alike("""
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
             "metadata": {"name": "b$", "namespace": "n$", "uid": "7$"},
             "roleRef": {"kind": "Role", "name": "r$"},
             "subjects": [{"kind": "ServiceAccount", "name": "s$", "namespace": "t$"}, {"kind": "User", "name": "u$"}]},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "r$", "namespace": "n$"},
             "rules": [{"apiGroups": ["apps"], "resources": ["pods"], "verbs": ["get"]}]},
            """) + """
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "c"}}]}
            """;

    private static final List<String> JSON_PARTS = List.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "\"x\"",
            "\"name\": \"n\",",
            "\"kind\": \"User\",",
            "\"metadata\": {},",
            "null",
            "true",
            "12",
            "-1",
            "01",
            "1.5",
            "\\n",
            "\\u0041",
            "é",
            "\u0000",
            "\n",
            " ",
            "\"rules\": [],",
            "\"subjects\": null,",
            "\"apiVersion\": \"v1\",",
            "\"verbs\": [],",
            "\"items\": [],",
            "\"namespace\": \"a\",",
            "/",
            "%",
            "*");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String alike(String shape) {
        return IntStream.range(8, 12)
                .mapToObj(i -> shape.replace("$", Integer.toString(i)))
                .collect(Collectors.joining());
    }

    @Test
    void objectsOfOneShapeAreReadAlike() throws ProblemsException {
        for (String text : List.of(ALIKE, JSON_ALIKE)) {
            PlainObjects plain = PlainObjects.of("file", bytes(text));

            assertThat(plain.hasRest()).isFalse();
            assertThat(plain.objects()).hasSize(text.equals(ALIKE) ? 12 : 9);
            assertThat(read(text, false)).isEqualTo(read(text, true)).contains("name=u11", "Role/n9/r9");
        }
    }

    @Test
    void allOfItIsReadTheFastWay() throws ProblemsException {
        for (String text : List.of(YAML, JSON)) {
            PlainObjects plain = PlainObjects.of("file", bytes(text));

            assertThat(plain.hasRest()).isFalse();
            assertThat(plain.objects()).hasSize(text.equals(YAML) ? 4 : 3);
            assertThat(read(text, false)).isEqualTo(read(text, true));
        }
    }

    @Test
    void aDocumentThatIsLeftKeepsItsLinesAndItsPlace() {
        String text =
                YAML + "---\n{kind: Role, apiVersion: rbac.authorization.k8s.io/v1}\n" + YAML.replace(": b", ": d");

        assertThat(PlainObjects.of("file", bytes(text)).objects()).hasSize(8);
        assertThat(read(text, false))
                .contains("file:" + (YAML.lines().count() + 2) + ": ")
                .isEqualTo(read(text, true));
    }

    @Test
    void aLargeFileIsReadByTwo() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8000; i++) {
            text.append(
                            "---\nkind: RoleBinding\napiVersion: rbac.authorization.k8s.io/v1\nmetadata:\n  namespace: a\n  name: b")
                    .append(i)
                    .append("\nroleRef:\n  kind: ClusterRole\n  name: r # x\n"
                            .replace(" # x", i % 1000 == 0 ? " # x" : ""));
        }
        assertThat(text.length()).isGreaterThan(1 << 20);
        assertThat(PlainObjects.of("file", bytes(text.toString())).objects()).hasSize(7992);
        assertThat(read(text.toString(), false)).isEqualTo(read(text.toString(), true));
    }

    @Property(tries = 10_000)
    void yamlIsReadAsTheGeneralReaderReadsIt(@ForAll("yaml") String text) {
        assertThat(read(text, false)).as(text).isEqualTo(read(text, true));
    }

    @Property(tries = 10_000)
    void jsonIsReadAsTheGeneralReaderReadsIt(@ForAll("json") String text) {
        assertThat(read(text, false)).as(text).isEqualTo(read(text, true));
    }

    /** Everything that was read with its places, or every problem. */
    private static String read(String text, boolean generally) {
        RbacManifestReader reader = new RbacManifestReader();
        if (generally) {
            reader.addGenerally("file", bytes(text));
        } else {
            reader.add("file", text);
        }
        try {
            RbacManifests read = reader.finish();
            return Stream.of(read.policy().roles(), read.policy().bindings(), read.warnings())
                            .map(Object::toString)
                            .toList()
                    + places(read).toString();
        } catch (ProblemsException e) {
            return e.problems().toString();
        }
    }

    private static List<Object> places(RbacManifests read) {
        List<Object> places = new ArrayList<>();
        read.policy().roles().forEach(role -> {
            places.add(String.valueOf(role.where()));
            role.rules().forEach(rule -> places.add(String.valueOf(rule.where())));
        });
        read.policy().bindings().forEach(binding -> places.add(String.valueOf(binding.where())));
        return places;
    }

    @Provide
    Arbitrary<String> yaml() {
        return Arbitraries.of(YAML, ALIKE)
                .flatMap(text -> changed(text.lines().toList(), YAML_LINES))
                .map(lines -> String.join("\n", lines) + "\n");
    }

    @Provide
    Arbitrary<String> json() {
        return Arbitraries.of(JSON, JSON_ALIKE)
                .flatMap(text -> changed(List.of(text.split("(?<=[,{}\\[\\]:\"])|(?=[,{}\\[\\]:\"])")), JSON_PARTS))
                .map(parts -> String.join("", parts));
    }

    /** Parts of a text, a few of them left out, put in or replaced. */
    private static Arbitrary<List<String>> changed(List<String> parts, List<String> others) {
        Arbitrary<Change> change = Combinators.combine(
                        Arbitraries.integers().between(0, parts.size() - 1),
                        Arbitraries.of(others),
                        Arbitraries.integers().between(0, 2))
                .as(Change::new);
        return change.list().ofMinSize(1).ofMaxSize(3).map(changes -> {
            List<String> changed = new ArrayList<>(parts);
            changes.forEach(one -> one.apply(changed));
            return changed;
        });
    }

    private record Change(int at, String part, int how) {
        void apply(List<String> parts) {
            int place = Math.min(at, parts.size() - 1);
            switch (how) {
                case 0 -> parts.remove(place);
                case 1 -> parts.add(place, part);
                default -> parts.set(place, part);
            }
        }
    }
}
