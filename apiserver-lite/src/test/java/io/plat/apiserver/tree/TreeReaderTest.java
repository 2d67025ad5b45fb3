package io.plat.apiserver.tree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents with duplicate fields. */
final class TreeReaderTest {
    private static TreeReader.Read read(String document, TreeReader.DuplicatePolicy again) throws IOException {
        return TreeReader.read(document.getBytes(UTF_8), again);
    }

    /** Columns: resulting object, resulting patch, duplicates. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1,"a":2}                           | {"a":2}                     | {"a":2}         | a
            {"a":{"x":1},"a":{"y":2}}               | {"a":{"x":1,"y":2}}         | {"a":{"y":2}}   | a
            {"a":{"x":1},"a":{"x":2},"a":{"y":3}}   | {"a":{"x":2,"y":3}}         | {"a":{"y":3}}   | a
            {"a":{"x":1},"a":7}                     | {"a":7}                     | {"a":7}         | a
            {"a":7,"a":{"x":1}}                     | {"a":{"x":1}}               | {"a":{"x":1}}   | a
            {"a":[{"x":1},2,3],"a":[{"y":1},4]}     | {"a":[{"x":1,"y":1},4]}     | {"a":[{"y":1},4]} | a
            {"a":[1],"a":[{"y":1},4]}               | {"a":[{"y":1},4]}           | {"a":[{"y":1},4]} | a
            {"a":{"x":1,"x":2},"b":[0,{"c":1,"c":2}]} | {"a":{"x":2},"b":[0,{"c":2}]} | {"a":{"x":2},"b":[0,{"c":2}]} | a.x b[1].c
            [{"op":1,"op":2}]                       | [{"op":2}]                  | [{"op":2}]      | [0].op
            {"a":{"a":{"a":1}}}                     | {"a":{"a":{"a":1}}}         | {"a":{"a":{"a":1}}} | ``
            {"a":{"x":{"l":1}},"a":{"x":{"m":2}}}   | {"a":{"x":{"l":1,"m":2}}}   | {"a":{"x":{"m":2}}} | a
            """)
    void lastDuplicateWins(String document, String object, String patch, String repeated) throws IOException {
        TreeReader.Read into = read(document, TreeReader.DuplicatePolicy.GOES_INTO);
        assertThat(into.tree().toString()).isEqualTo(object);
        assertThat(String.join(" ", into.repeated().paths())).isEqualTo(repeated);
        TreeReader.Read replaced = read(document, TreeReader.DuplicatePolicy.REPLACES);
        assertThat(replaced.tree().toString()).isEqualTo(patch);
        assertThat(String.join(" ", replaced.repeated().paths())).isEqualTo(repeated);
    }

    /** Stored and received nodes must be equal: otherwise every update would be a change. Numbers are written as by Kubernetes. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "0, 0",
                "-0.0, 0",
                "1.50, 1.5",
                "1e3, 1000",
                "100, 100",
                "12345678901, 12345678901",
                "12345678901234567890, 12345678901234567000",
                "123456789012345678901234567890, 1.2345678901234568e+29",
                "0.12345678901234567890, 0.12345678901234568",
                "1.0, 1",
                "\"é\", \"é\"",
            })
    void scalarsMatchTheirStoredForm(String scalar, String stored) throws IOException {
        String document = "{\"a\":" + scalar + ",\"b\":[true,false,null]}";
        String written = "{\"a\":" + stored + ",\"b\":[true,false,null]}";
        assertThat(read(document, TreeReader.DuplicatePolicy.GOES_INTO).tree())
                .isEqualTo(Json.STORED.readTree(written))
                .hasToString(written);
    }

    @Test
    void missingValues() throws IOException {
        assertThat(read(" ", TreeReader.DuplicatePolicy.REPLACES).tree().isMissingNode())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1", "{}{}", "{} 1", "{\"a\"}", "nul", "{\"a\":1,}"})
    void multipleDocumentsAreRefused(String text) {
        assertThatThrownBy(() -> read(text, TreeReader.DuplicatePolicy.GOES_INTO))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void depthIsBounded() {
        String deep = "[".repeat(Json.MAX_DEPTH + 1) + "]".repeat(Json.MAX_DEPTH + 1);
        assertThatThrownBy(() -> read(deep, TreeReader.DuplicatePolicy.GOES_INTO))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void recordedDuplicatePathsAreBounded() throws IOException {
        var document = new StringBuilder("{\"l\":[0");
        for (int i = 0; i < 1000; i++) {
            document.append(",{\"a\":1,\"a\":2}");
        }
        document.append("],\"").append("n".repeat(10_000)).append("\":{\"a\":1,\"a\":2}}");
        List<String> paths = read(document.toString(), TreeReader.DuplicatePolicy.GOES_INTO)
                .repeated()
                .paths();
        assertThat(paths).hasSize(100).startsWith("l[1].a", "l[2].a");
        String named = "{\"" + "n".repeat(10_000) + "\":{\"a\":1,\"a\":2}}";
        assertThat(read(named, TreeReader.DuplicatePolicy.GOES_INTO).repeated().paths())
                .singleElement()
                .satisfies(path -> assertThat(path).hasSize(515).endsWith("n..."));
    }

    /** A document without duplicates is read like by any other reader. */
    @Property(tries = 200)
    void behavesLikeTheDefaultReader(@ForAll @Size(max = 20) List<@IntRange(min = 0, max = 5) Integer> shape)
            throws IOException {
        var document = new StringBuilder();
        int open = 0;
        int names = 0;
        for (int step : shape) {
            document.append(open == 0 ? "" : "\"n" + names++ + "\":");
            if (step < 3 || open == 0) {
                document.append('{');
                open++;
            } else {
                document.append("[").append(step).append("],");
            }
        }
        String text = document.append(open == 0 ? "{}" : "\"end\":1" + "}".repeat(open))
                .toString();
        assertThat(read(text, TreeReader.DuplicatePolicy.REPLACES).tree()).isEqualTo(Json.MAPPER.readTree(text));
    }
}
