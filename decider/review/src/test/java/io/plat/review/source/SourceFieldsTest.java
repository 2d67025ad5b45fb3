package io.plat.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.review.source.SourceNode.Scalar;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceFieldsTest {
    private final List<Problem> problems = new ArrayList<>();

    @Test
    void readsEveryTypeOfField() throws ProblemsException {
        SourceFields fields = fields("""
                name: x
                on: y
                flag: true
                list: [a, b]
                inner: {name: z}
                items: [{name: one}, {name: two}]
                """);
        assertThat(fields.requiredString("name")).isEqualTo("x");
        assertThat(fields.bool("flag")).isTrue();
        assertThat(fields.strings("list")).containsExactly("a", "b");
        assertThat(fields.mapping("inner").string("name")).isEqualTo("z");
        assertThat(fields.mappings("items"))
                .extracting(item -> item.string("name"))
                .containsExactly("one", "two");
        assertThat(fields.node("on")).isInstanceOf(Scalar.class);
        fields.rejectUnknown();
        assertThat(problems).isEmpty();
    }

    @Test
    void absentAndNullFieldsHaveTheZeroValue() throws ProblemsException {
        SourceFields fields = fields("a: null\nb:\n");
        for (String key : List.of("a", "b", "c")) {
            assertThat(fields.has(key)).isFalse();
            assertThat(fields.string(key)).isEmpty();
            assertThat(fields.bool(key)).isFalse();
            assertThat(fields.strings(key)).isEmpty();
            assertThat(fields.list(key)).isEmpty();
            assertThat(fields.mappings(key)).isEmpty();
            assertThat(fields.mapping(key).string("x")).isEmpty();
            assertThat(fields.node(key)).isNull();
        }
        fields.rejectUnknown();
        assertThat(problems).isEmpty();
    }

    @Test
    void everyWrongTypeIsAProblemThatDoesNotShowTheValue() throws ProblemsException {
        SourceFields fields = fields("""
                token: 12345
                flag: "true"
                list: [a, 7, [x]]
                strings: secret
                inner: [secret]
                items: [secret]
                """);
        fields.string("token");
        fields.bool("flag");
        fields.strings("list");
        fields.strings("strings");
        fields.mapping("inner");
        fields.mappings("items");
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "f.yaml:1: token: expected a string, found an integer; quote it",
                        "f.yaml:2: flag: expected true or false, found a string",
                        "f.yaml:3: list[1]: expected a string, found an integer",
                        "f.yaml:3: list[2]: expected a string, found a list",
                        "f.yaml:4: strings: expected a list, found a string",
                        "f.yaml:5: inner: expected a mapping, found a list",
                        "f.yaml:6: items[0]: expected a mapping, found a string");
    }

    @Test
    void missingFieldsAreReportedAtTheirMapping() throws ProblemsException {
        SourceFields inner = fields("\nx:\n  name: \"\"\n  b: 1\n").requiredMapping("x");
        inner.requiredString("name");
        inner.requiredString("b");
        inner.requiredString("c");
        inner.requiredMapping("d");
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "f.yaml:3: x.name: must not be empty",
                        "f.yaml:4: x.b: expected a string, found an integer; quote it",
                        "f.yaml:3: x.c: required",
                        "f.yaml:3: x.d: required");
    }

    @Test
    void unknownFieldsAreReportedWithASuggestion() throws ProblemsException {
        SourceFields fields =
                fields("resourses: []\nNameSpace: x\nzebra: 1\nignored: 1\n").mapping("none");
        assertThat(fields.path("x")).isEqualTo("none.x");
        SourceFields top = fields("resourses: []\nNameSpace: x\nzebra: 1\nignored: 1\n");
        top.strings("resources");
        top.string("namespace");
        top.ignore("ignored");
        top.rejectUnknown();
        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "f.yaml:1: unknown field \"resourses\", did you mean \"resources\"?",
                        "f.yaml:2: unknown field \"NameSpace\", did you mean \"namespace\"?",
                        "f.yaml:3: unknown field \"zebra\"");
    }

    @Test
    void aDocumentOtherThanAMappingIsAProblem() throws ProblemsException {
        SourceFields fields = SourceFields.of(SourceReader.readJson("f.yaml", 3, "[1]"), "", problems);
        assertThat(fields.string("x")).isEmpty();
        assertThat(problems).hasToString("[f.yaml:3: expected a mapping, found a list]");
    }

    @Test
    void quotingKeepsUserInputOnOneShortLine() {
        assertThat(Quoted.of("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
        assertThat(Quoted.of("a\r\n\tb\u0000\u2028\u202e")).isEqualTo("\"a\\u000d\\n\\tb\\u0000\\u2028\\u202e\"");
        assertThat(Quoted.of("x".repeat(121))).isEqualTo("\"" + "x".repeat(120) + "…\"");
        assertThat(Quoted.of("x".repeat(119) + "😀")).isEqualTo("\"" + "x".repeat(119) + "…\"");
        assertThat(Quoted.of("x".repeat(118) + "😀")).isEqualTo("\"" + "x".repeat(118) + "😀\"");
    }

    @Test
    void distanceCountsEditedCharacters() {
        assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.distance("", "abc")).isEqualTo(3);
        assertThat(NearestName.distance("abc", "abc")).isZero();
        assertThat(NearestName.suggestion("x".repeat(65), List.of("x".repeat(64))))
                .isEmpty();
    }

    private SourceFields fields(String yaml) throws ProblemsException {
        return SourceFields.of(
                SourceReader.readYaml("f.yaml", yaml.getBytes(StandardCharsets.UTF_8))
                        .getFirst(),
                "",
                problems);
    }
}
