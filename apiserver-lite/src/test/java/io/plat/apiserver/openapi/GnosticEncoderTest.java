package io.plat.apiserver.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The binary form is decoded by the protobuf library, by field numbers. */
class GnosticEncoderTest {
    /** Returns the value at nested field numbers. */
    private static List<ByteString> at(String document, int... path) {
        List<ByteString> found = List.of(ByteString.copyFrom(GnosticEncoder.encode(document.getBytes(UTF_8))));
        for (int number : path) {
            found = found.stream()
                    .flatMap(message -> fields(message).getField(number).getLengthDelimitedList().stream())
                    .toList();
        }
        return found;
    }

    private static UnknownFieldSet fields(ByteString message) {
        try {
            return UnknownFieldSet.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("not a message", e);
        }
    }

    private static List<String> texts(String document, int... path) {
        return at(document, path).stream().map(ByteString::toStringUtf8).toList();
    }

    /** Returns a document with one definition. */
    private static String schema(String schema) {
        return "{\"definitions\":{\"d\":" + schema + "}}";
    }

    @Test
    void documentHasItsVersion() {
        String document = "{\"swagger\":\"2.0\",\"info\":{\"title\":\"t\",\"version\":\"v\"}}";
        assertThat(texts(document, 1)).containsExactly("2.0");
        assertThat(texts(document, 2, 1)).containsExactly("t");
        assertThat(texts(document, 2, 2)).containsExactly("v");
    }

    @Test
    void definitionsAreNamedSchemas() {
        assertThat(texts(schema("{}"), 9, 1, 1)).containsExactly("d");
        assertThat(at(schema("{}"), 9, 1, 2)).containsExactly(ByteString.EMPTY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"$ref\":\"#/definitions/x\"}           | 1        | #/definitions/x",
                "{\"format\":\"int64\"}                   | 2        | int64",
                "{\"required\":[\"a\"]}                   | 19       | a",
                "{\"type\":\"object\"}                    | 22.1     | object",
                "{\"type\":[\"string\"]}                  | 22.1     | string",
                "{\"items\":{\"format\":\"f\"}}           | 23.1.2   | f",
                "{\"properties\":{\"p\":{}}}              | 25.1.1   | p",
                "{\"properties\":{\"p\":{\"format\":\"f\"}}} | 25.1.2.2 | f",
                "{\"additionalProperties\":{\"format\":\"f\"}} | 21.1.2 | f",
                "{\"allOf\":[{\"format\":\"f\"}]}         | 24.2     | f",
                "{\"x-a\":[{\"b\":1}]}                    | 31.1     | x-a",
                "{\"default\":\"\\u00fc\"}                | 5.2      | `\"\u00fc\"`",
            })
    void schemaMembersAreEncoded(String schema, String path, String text) {
        int[] numbers =
                Arrays.stream(path.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
        int[] whole =
                IntStream.concat(IntStream.of(9, 1, 2), Arrays.stream(numbers)).toArray();
        assertThat(texts(schema(schema), whole)).extracting(String::strip).containsExactly(text);
    }

    @Test
    void extensionsAreYaml() {
        assertThat(texts(schema("{\"x-a\":[{\"b\":1}]}"), 9, 1, 2, 31, 2, 2)).containsExactly("[{\"b\":1}]\n");
    }

    @Test
    void numbersAndBooleansHaveTheirWireTypes() {
        UnknownFieldSet fields =
                fields(at(schema("{\"maxLength\":300,\"minimum\":-1.5,\"uniqueItems\":true,\"minItems\":-1}"), 9, 1, 2)
                        .getFirst());
        assertThat(fields.getField(11).getVarintList()).containsExactly(300L);
        assertThat(fields.getField(9).getFixed64List()).containsExactly(Double.doubleToLongBits(-1.5));
        assertThat(fields.getField(16).getVarintList()).containsExactly(1L);
        assertThat(fields.getField(15).getVarintList()).containsExactly(-1L);
    }

    @Test
    void additionalPropertiesMayAllowAnything() {
        UnknownFieldSet union = fields(
                at(schema("{\"additionalProperties\":true}"), 9, 1, 2, 21).getFirst());
        assertThat(union.getField(2).getVarintList()).containsExactly(1L);
    }

    @Test
    void parametersAreInTheUnionOfTheirLocation() {
        String item = "{\"paths\":{\"/p\":{\"patch\":{\"parameters\":["
                + "{\"name\":\"q\",\"in\":\"query\",\"type\":\"string\"},{\"name\":\"b\",\"in\":\"body\",\"schema\":{}}],"
                + "\"responses\":{\"200\":{\"description\":\"OK\",\"schema\":{\"format\":\"f\"}}}},"
                + "\"parameters\":[{\"name\":\"n\",\"in\":\"path\",\"required\":true}]}}}";
        assertThat(texts(item, 8, 2, 1)).containsExactly("/p");
        assertThat(texts(item, 8, 2, 2, 8, 8, 1, 2, 3, 4)).containsExactly("q");
        assertThat(texts(item, 8, 2, 2, 8, 8, 1, 1, 2)).containsExactly("b");
        assertThat(texts(item, 8, 2, 2, 9, 1, 2, 4, 4)).containsExactly("n");
        assertThat(texts(item, 8, 2, 2, 8, 9, 1, 1)).containsExactly("200");
        assertThat(texts(item, 8, 2, 2, 8, 9, 1, 2, 1, 2, 1, 2)).containsExactly("f");
    }

    @Test
    void unknownMemberIsAnError() {
        assertThatThrownBy(() -> GnosticEncoder.encode(schema("{\"oneOf\":[]}").getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("oneOf");
    }
}
