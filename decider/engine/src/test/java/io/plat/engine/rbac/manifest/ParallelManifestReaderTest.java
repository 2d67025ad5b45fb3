package io.plat.engine.rbac.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.ProblemsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

/** Objects that are not parsed individually equal parsed ones, with the same locations and problems. */
final class ParallelManifestReaderTest {
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
        """);

    /** The same in a list, as servers return it. */
    private static final String LIST =
            "apiVersion: v1\nitems:\n" + alike("""
                - apiVersion: rbac.authorization.k8s.io/v1
                  kind: RoleBinding
                  metadata:
                    annotations:
                      kubectl.kubernetes.io/last-applied-configuration: |
                        {"metadata":{"name":"b$$"}}
                    name: b$
                    namespace: n$
                  roleRef:
                    kind: Role
                    name: r$
                  subjects:
                  - kind: ServiceAccount
                    name: s$
                    namespace: t$
                  - kind: User
                    name: u$
                - apiVersion: rbac.authorization.k8s.io/v1
                  kind: ClusterRole
                  metadata:
                    name: c$
                  rules:
                  - nonResourceURLs:
                    - /healthz
                    verbs:
                    - get
                """) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n";

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
            "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n" + alike("""
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
    void objectsAreReadOneByOne() {
        for (String text : List.of(YAML, ALIKE, LIST, JSON_ALIKE)) {
            assertThat(new RbacManifestReader().addInParallel("file", bytes(text)))
                    .as(text)
                    .isTrue();
            assertThat(read(text, false)).isEqualTo(read(text, true));
        }
        assertThat(read(ALIKE, false)).contains("name=u11", "Role/n9/r9");
        assertThat(read(JSON_ALIKE, false)).contains("name=u11", "Role/n9/r9");
        assertThat(read(LIST, false)).contains("name=u11", "ClusterRole/c9");
    }

    @Test
    void textAroundItemsIsChecked() {
        for (String kind : List.of("List", "ConfigMap", "RoleBindingList", "Role")) {
            for (String text : List.of(LIST, JSON_ALIKE)) {
                String other = text.replaceFirst("(kind\"?: \"?)List", "$1" + kind);
                assertThat(read(other, false)).as(other).isEqualTo(read(other, true));
            }
        }
        for (String end : List.of(",]}", "]]}", "}", "", "] }", "],\"items\":[]}", "]}{\"kind\":\"List\"}")) {
            String other = JSON_ALIKE.substring(0, JSON_ALIKE.lastIndexOf(']')) + end;
            assertThat(read(other, false)).as(other).isEqualTo(read(other, true));
        }
    }

    /** At each position of a list, including the boundary of its two parts. */
    @Test
    void textBetweenItemsIsChecked() {
        String item = "  {\"apiVersion\":\"rbac.authorization.k8s.io/v1\",\"kind\":\"ClusterRole\","
                + "\"metadata\":{\"name\":\"c$\"},\"rules\":[]}";
        List<String> items = List.of(alike(item + ",\n").split(",\n"));
        for (String between : List.of("\n", ",\n,", ",,\n", ",\n", " \n,\n", ",\n{},\n", ",\n]\n")) {
            for (int at = 1; at < 4; at++) {
                String text = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n"
                        + String.join(",\n", items.subList(0, at)) + between
                        + String.join(",\n", items.subList(at, 4)) + "\n]}\n";
                assertThat(read(text, false)).as(text).isEqualTo(read(text, true));
            }
        }
    }

    /** Words in place of a name: each has the meaning that the parser gives it. */
    @Test
    void ambiguousScalarsAreParsed() {
        for (String word : List.of(
                "yes",
                "on",
                "Null",
                "~",
                "12",
                "1e3",
                "0x1f",
                ".inf",
                "a: b",
                "a:",
                "a #b",
                "a#b",
                "#b",
                "&a b",
                "*a",
                "'q'",
                "\"q\"",
                "\"q\\n\"",
                "'q' x",
                "-",
                "- a",
                "--- a",
                "[a]",
                "{a: b}",
                "é",
                "|",
                ">",
                "!!str 1",
                "a\n    b",
                "a\n---\n",
                "",
                "a/b",
                "%a",
                "..",
                "a\tb",
                "a ",
                "@a",
                "`a",
                "<<",
                "a'b",
                "a\"b")) {
            for (String old :
                    List.of("u10", "n10", "r10", "b10", "t10", "710", "10}", "{\"metadata\":{\"name\":\"b1010\"}}")) {
                for (String text : List.of(ALIKE, LIST)) {
                    String other = text.replaceFirst(
                            "(?<=[:|] |\\{|\\n {6})" + Pattern.quote(old), Matcher.quoteReplacement(word));
                    assertThat(read(other, false)).as(other).isEqualTo(read(other, true));
                }
                String json = JSON_ALIKE.replaceFirst(Pattern.quote(old), Matcher.quoteReplacement(word));
                assertThat(read(json, false)).as(json).isEqualTo(read(json, true));
            }
        }
    }

    @Test
    void flowStyleAndAnchorsAreYaml() {
        String role = "apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: %s}, rules: %s";
        String rules = "[{verbs: [get], apiGroups: [\"\"], resources: [pods]}]";
        String one = "{" + role.formatted("a", rules) + "}\n";
        String more = "[{" + role.formatted("a", "&rules " + rules) + "},\n {" + role.formatted("b", "*rules") + "}]\n";
        assertThat(read(one, true)).contains("ClusterRole/a", "pods", "file:1");
        assertThat(read(more, true))
                .contains("ClusterRole/a", "ClusterRole/b", "file:2")
                .doesNotContain("not valid");
        assertThat(read(more + "---\n" + one.replace("a}", "c}"), true)).contains("ClusterRole/c", "file:4");
    }

    /** It could also be an incomplete file, which cannot be detected. */
    @Test
    void theLastLineNeedsNoEnd() {
        for (String text : List.of(YAML, ALIKE, LIST, JSON_ALIKE)) {
            assertThat(read(text.stripTrailing(), false)).isEqualTo(read(text, true));
        }
    }

    @Property(tries = 3_000)
    void yamlIsReadAsAWhole(@ForAll("yaml") String text) {
        assertThat(read(text, false)).as(text).isEqualTo(read(text, true));
    }

    @Property(tries = 3_000)
    void jsonIsReadAsAWhole(@ForAll("json") String text) {
        assertThat(read(text, false)).as(text).isEqualTo(read(text, true));
    }

    /** Returns everything that was read with its locations, or every problem. */
    private static String read(String text, boolean whole) {
        RbacManifestReader reader = new RbacManifestReader();
        if (whole || !reader.addInParallel("file", bytes(text))) {
            reader.addWhole("file", bytes(text));
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
        return Arbitraries.of(YAML, ALIKE, LIST)
                .flatMap(text -> changed(text.lines().toList(), YAML_LINES))
                .map(lines -> String.join("\n", lines) + "\n");
    }

    @Provide
    Arbitrary<String> json() {
        return Arbitraries.of(JSON, JSON_ALIKE)
                .flatMap(text -> changed(List.of(text.split("(?<=[,{}\\[\\]:\"])|(?=[,{}\\[\\]:\"])")), JSON_PARTS))
                .map(parts -> String.join("", parts));
    }

    /** Returns the parts of a text with a few of them removed, added or replaced. */
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

    /** A million of them, as each was parsed, took as many microseconds times ten. */
    @Test
    void documentsWithoutContentCostNothing() throws ProblemsException {
        long begin = System.nanoTime();
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("p.yaml", YAML + "---\n".repeat(1_000_000) + "---\n# why\n\n".repeat(300_000));
        assertThat(reader.finish().policy().roles()).hasSize(2);
        assertThat(System.nanoTime() - begin).isLessThan(4_000_000_000L);
    }

    /** Other parsers may treat it as a line break. */
    @Test
    void aCommentInOtherCharactersIsParsed() {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("p.yaml", YAML + "---\n".repeat(100_000) + "---\n# x\u0085kind: y\n");
        assertThat(reader.isClean()).isFalse();
    }
}
