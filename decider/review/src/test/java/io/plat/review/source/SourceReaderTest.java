package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.review.source.SourceNode.Sequence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class SourceReaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @TestFactory
    Stream<DynamicTest> typesScalarsLikeKubectl() throws Exception {
        return resource("scalars.txt")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\\|", -1))
                .map(row -> DynamicTest.dynamicTest(row[0].strip(), () -> {
                    Mapping root = mapping("a.yaml", "key: " + row[0].strip() + "\n");
                    assertThat(root.get("key"))
                            .isEqualTo(new Scalar(
                                    new Location("a.yaml", 1), ScalarType.valueOf(row[1].strip()), row[2].strip()));
                }));
    }

    @TestFactory
    Stream<DynamicTest> reportsEveryProblemWithItsLine() throws Exception {
        SourceNode table = SourceReader.readYaml(
                        "malformed.yaml", resource("malformed.yaml").getBytes(StandardCharsets.UTF_8))
                .getFirst();
        List<Problem> problems = new ArrayList<>();
        return ((Sequence) table)
                .items().stream()
                        .map(row -> SourceFields.of(row, "", problems))
                        .map(row -> DynamicTest.dynamicTest(row.string("name"), () -> {
                            List<String> expected = row.strings("problems");
                            List<Problem> found = problemsOf(row.string("file"), row.string("text"));
                            assertThat(found).hasSameSizeAs(expected);
                            for (int i = 0; i < found.size(); i++) {
                                assertThat(found.get(i).toString()).startsWith(expected.get(i));
                            }
                            assertThat(problems).isEmpty();
                        }));
    }

    @Test
    void everyValueHasItsLine() throws ProblemsException {
        Mapping root = mapping("a.yaml", "a: 1\nb:\n  - x\n  - c: z\n    d: |\n      text\ne: {f: g}\n");
        assertThat(lines(root))
                .containsExactly(
                        "1 mapping", "1 1", "3 list", "3 x", "4 mapping", "4 z", "5 text\n", "7 mapping", "7 g");
        assertThat(root.entries().get(1).where()).isEqualTo(new Location("a.yaml", 2));
    }

    @Test
    void jsonValuesHaveTheirLines() throws ProblemsException {
        Mapping root = mapping("a.json", "{\"a\": 1,\n\"b\": [\n\"x\", {\"c\":\ntrue}], \"d\": null, \"e\": 1.5}");
        assertThat(lines(root))
                .containsExactly("1 mapping", "1 1", "2 list", "3 x", "3 mapping", "4 true", "4 ", "4 1.5");
        assertThat(((Scalar) Objects.requireNonNull(root.get("e"))).type()).isEqualTo(ScalarType.FLOAT);
    }

    @Test
    void emptyDocumentsAreOmitted() throws ProblemsException {
        assertThat(read("a.yaml", "---\n# nothing\n---\na: 1\n---\n---\n- b\n...\n"))
                .hasExactlyElementsOfTypes(Mapping.class, Sequence.class);
        assertThat(read("a.json", "{\"a\": 1}\n{\"b\": 2}\nnull")).hasSize(2);
        assertThat(read("a.yaml", "")).isEmpty();
        assertThat(read("a.yaml", "# only a comment\n")).isEmpty();
    }

    @Test
    void flowStyleNeedNotBeJson() throws ProblemsException {
        for (String name : List.of("a.yaml", "a.yml", "a")) {
            assertThat(read(name, "{a: &x [1], b: *x} # more\n---\n[{c: d}]\n"))
                    .hasExactlyElementsOfTypes(Mapping.class, Sequence.class);
        }
        assertThat(problemsOf("a.json", "{a: 1}").getFirst().message()).startsWith("not valid JSON: ");
    }

    @Test
    void aliasesShareValuesAndMergesAddFields() throws ProblemsException {
        Mapping root = mapping("a.yaml", """
            base: &base {x: 1, y: 1}
            more: &more {y: 2, z: 2}
            one:
              <<: *base
              y: own
            two:
              <<: [*base, *more]
            same: *base
            quoted: {"<<": text}
            """);
        assertThat(texts(root, "one")).containsExactly("y=own", "x=1");
        assertThat(texts(root, "two")).containsExactly("x=1", "y=1", "z=2");
        assertThat(texts(root, "quoted")).containsExactly("<<=text");
        assertThat(root.get("same")).isSameAs(root.get("base"));
    }

    @Test
    void aliasesCannotExpandWithoutLimit() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            String alias = "*a" + (i - 1);
            laughs.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", Collections.nCopies(10, alias))));
        }
        assertThat(problemsOf("bomb.yaml", laughs.toString()))
                .singleElement()
                .extracting(Problem::message)
                .isEqualTo("more than " + SourceReader.MAX_VALUES + " values");
        StringBuilder many = new StringBuilder("a: &a [x]\nb:\n");
        many.repeat("  - *a\n", 101);
        assertThat(problemsOf("many.yaml", many.toString()))
                .singleElement()
                .extracting(Problem::message)
                .isEqualTo("not valid YAML: more than 100 aliases");
    }

    @Test
    void depthIsBoundedInBothFormats() throws ProblemsException {
        assertThat(read("a.json", "[".repeat(64) + "]".repeat(64))).hasSize(1);
        assertThat(problemsOf("a.json", "[".repeat(65) + "]".repeat(65))
                        .getFirst()
                        .message())
                .contains("not valid JSON: document nesting depth");
        assertThat(read("a.yaml", "- ".repeat(64) + "x\n")).hasSize(1);
        assertThat(problemsOf("a.yaml", "- ".repeat(66) + "x\n").getFirst().message())
                .isEqualTo("not valid YAML: nested deeper than 64");
        assertThat(problemsOf("a.yaml", "x: " + "[".repeat(100_000)).getFirst().message())
                .isEqualTo("not valid YAML: nested deeper than 64");
    }

    @Test
    void veryLongNumbersAreText() throws ProblemsException {
        assertThat(mapping("a.yaml", "a: " + "9".repeat(101) + "\n").get("a"))
                .extracting(node -> ((Scalar) node).type())
                .isEqualTo(ScalarType.STRING);
        assertThat(problemsOf("a.json", "9".repeat(101)).getFirst().message()).contains("not valid JSON: number");
    }

    @Test
    void invalidUtf8IsAProblemOfItsLine() {
        byte[] content = "a: 1\nb: x".getBytes(StandardCharsets.UTF_8);
        content[8] = (byte) 0xff;
        assertThat(problemsOf("a.yaml", content))
                .containsExactly(new Problem(new Location("a.yaml", 2), "not valid UTF-8"));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheContent() throws ProblemsException {
        assertThat(mapping("a.yaml", "\uFEFFa: 1\n").fields()).containsOnlyKeys("a");
        assertThat(mapping("a.yaml", "\uFEFF{\"a\": 1}").fields()).containsOnlyKeys("a");
    }

    @Test
    void locationsHaveTheFileNameAsGiven() throws IOException, ProblemsException {
        Path file = Files.writeString(directory.resolve("x.yaml"), "a: 1\n");
        assertThat(SourceReader.readYaml(file).getFirst().where()).isEqualTo(new Location(file.toString(), 1));
        assertThat(SourceReader.readText(file)).isEqualTo("a: 1\n");
    }

    @Test
    void filesOfAnySizeAreReadCompletely() throws IOException, ProblemsException {
        for (int size : List.of(0, 1, 2, 3, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, SourceReader.MAX_BYTES)) {
            byte[] content = new byte[size];
            new Random(size).nextBytes(content);
            Path file = Files.write(directory.resolve("x"), content);

            assertThat(SourceReader.readBytes(file)).isEqualTo(content);
        }
        Path mark = Files.writeString(directory.resolve("y"), "\uFEFFa");
        assertThat(SourceReader.readBytes(mark)).containsExactly('a');
        assertThat(SourceReader.readBytes(Files.writeString(mark, "\uFEFF"))).isEmpty();
        Path large = Files.write(directory.resolve("x"), new byte[SourceReader.MAX_BYTES + 1]);
        assertThat(catchThrowableOfType(ProblemsException.class, () -> SourceReader.readBytes(large)))
                .hasMessage(large + ": larger than " + SourceReader.limit(SourceReader.MAX_BYTES));
    }

    @Test
    void unreadableFilesAreProblems() throws Exception {
        Path missing = directory.resolve("missing.yaml");
        assertThat(problemsOf(missing)).hasToString("[" + missing + ": cannot read: no such file]");
        assertThat(problemsOf(directory)).hasToString("[" + directory + ": cannot read: is a directory]");
        // Opening a pipe without a writer would never return.
        Path pipe = directory.resolve("pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThat(problemsOf(pipe)).hasToString("[" + pipe + ": cannot read: is not a regular file]");
        assertThat(problemsOf("big.yaml", new byte[SourceReader.MAX_BYTES + 1]))
                .hasToString("[big.yaml: larger than " + SourceReader.limit(SourceReader.MAX_BYTES) + "]");
    }

    @Test
    void oneLineOfAFileKeepsItsLine() throws ProblemsException {
        SourceNode node = SourceReader.readJson("policy.jsonl", 17, "{\"user\": \"alice\"}");
        assertThat(node.where()).isEqualTo(new Location("policy.jsonl", 17));
        assertThat(lineProblems("{\"user\": }")).startsWith("policy.jsonl:17: not valid JSON: unexpected character");
        assertThat(lineProblems("{} {}")).isEqualTo("policy.jsonl:17: unexpected text after the JSON value");
        assertThat(lineProblems("{} x")).startsWith("policy.jsonl:17: not valid JSON: unrecognized token 'x'");
        assertThat(lineProblems(" ")).isEqualTo("policy.jsonl:17: expected a JSON value, found nothing");
    }

    private static String lineProblems(String text) {
        ProblemsException thrown =
                catchThrowableOfType(ProblemsException.class, () -> SourceReader.readJson("policy.jsonl", 17, text));
        return thrown.problems().getFirst().toString();
    }

    private static List<Problem> problemsOf(Path file) {
        return catchThrowableOfType(ProblemsException.class, () -> SourceReader.readYaml(file))
                .problems();
    }

    private static List<Problem> problemsOf(String name, byte[] content) {
        return catchThrowableOfType(ProblemsException.class, () -> SourceReader.readYaml(name, content))
                .problems();
    }

    private static List<Problem> problemsOf(String name, String text) {
        return problemsOf(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<SourceNode> read(String name, String text) throws ProblemsException {
        return SourceReader.readYaml(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Mapping mapping(String name, String text) throws ProblemsException {
        return (Mapping) read(name, text).getFirst();
    }

    private static List<String> texts(Mapping root, String key) {
        return ((Mapping) Objects.requireNonNull(root.get(key)))
                .fields().entrySet().stream()
                        .map(field -> field.getKey() + "=" + ((Scalar) field.getValue()).text())
                        .toList();
    }

    private static List<String> lines(SourceNode node) {
        List<String> lines = new ArrayList<>();
        collect(node, lines);
        return lines;
    }

    private static void collect(SourceNode node, List<String> lines) {
        int line = node.where().line();
        switch (node) {
            case Mapping mapping -> {
                lines.add(line + " mapping");
                mapping.fields().values().forEach(value -> collect(value, lines));
            }
            case Sequence sequence -> {
                lines.add(line + " list");
                sequence.items().forEach(item -> collect(item, lines));
            }
            case Scalar scalar -> lines.add(line + " " + scalar.text());
        }
    }

    private static String resource(String name) throws IOException {
        try (var in = Objects.requireNonNull(SourceReaderTest.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
