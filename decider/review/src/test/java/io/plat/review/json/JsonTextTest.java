package io.plat.review.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @ParameterizedTest
    @CsvSource({
        "'', true",
        "abc, true",
        "'\ud83d\ude00', true",
        "'x\ud83d\ude00\ud83d\ude00', true",
    })
    void pairsAreWellFormed(String text, boolean expected) {
        assertThat(JsonText.isWellFormed(text)).isEqualTo(expected);
        assertThat(JsonText.wellFormed(text)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "``, \"\"",
                "abc, \"abc\"",
                "a\"b, \"a\\\"b\"",
                "a\\b, \"a\\\\b\"",
                "\u00e4, \"\u00e4\"",
                "a\u2028, \"a\\u2028\""
            })
    void quotedTextIsEscaped(String text, String expected) {
        assertThat(JsonText.quoted(text)).isEqualTo(expected);
    }

    @Property
    void quotedTextIsReadBack(@ForAll String text) throws IOException {
        String quoted = JsonText.quoted(text);
        try (JsonParser parser = new JsonFactory().createParser(quoted)) {
            parser.nextToken();
            assertThat(parser.getText()).isEqualTo(text);
        }
    }

    @Test
    void unpairedHalvesAreReplaced() {
        assertThat(JsonText.wellFormed("a\ud83d")).isEqualTo("a\ufffd");
        assertThat(JsonText.wellFormed("\ude00a")).isEqualTo("\ufffda");
        assertThat(JsonText.wellFormed("\ud83dx\ude00")).isEqualTo("\ufffdx\ufffd");
        assertThat(JsonText.wellFormed("\ud83d\ud83d\ude00")).isEqualTo("\ufffd\ud83d\ude00");
        assertThat(JsonText.isWellFormed("\ude00\ud83d")).isFalse();
    }

    /** Messages of a parser with the limits of this project. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a":01}        | invalid numeric value: Leading zeroes not allowed
            {"a":NaN}       | non-standard token 'NaN'
            {"a":-INF}      | non-standard token '-INF'
            {"a":Infinity}  | non-standard token 'Infinity'
            {"a":+1}        | unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs
            {"a": /**/ 1}   | unexpected character ('/' (code 47)): maybe a (non-standard) comment?
            {'a': 1}        | unexpected character (''' (code 39)): was expecting double-quote to start field name
            {a: 1}          | unexpected character ('a' (code 97)): was expecting double-quote to start field name
            {"a": `x`}      | unexpected character ('`' (code 96)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')
            {"a": [1}       | unexpected close marker '}': expected ']'
            {"a":           | unexpected end-of-input within/between Object entries
            [1              | unexpected end-of-input: expected close marker for Array
            {"a": yes}      | unrecognized token 'yes': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')
            {"a": "\\q"}    | unrecognized character escape 'q' (code 113)
            [[[[[[1]]]]]]   | document nesting depth (6) exceeds the maximum allowed (5)
            "123456789"     | string value length (9) exceeds the maximum allowed (8)
            {"123456789":1} | name length (9) exceeds the maximum allowed (8)
            123456789       | number value length (9) exceeds the maximum allowed (8)
            {"a":1,"a":2}   | duplicate field 'a'
            """)
    void problemsAreDescribedWithoutTheNamesOfALibrary(String json, String expected) {
        assertThat(JsonText.message(refused(json))).isEqualTo(expected);
    }

    @Test
    void aLineBreakOrControlCharacterIsNoPartOfAMessage() {
        assertThat(JsonText.message(refused("{\"a\":\u001e1}")))
                .isEqualTo(
                        "illegal character ((CTRL-CHAR, code 30)): only regular white space (\\r, \\n, \\t) is allowed"
                                + " between tokens");
        assertThat(JsonText.message(refused("{\"a\nb\":1}"))).startsWith("illegal unquoted character");
        assertThat(JsonText.message(parseException("a\u001b[2J\u009b\u2028b\n at [Source: x")))
                .isEqualTo("a [2J  b");
    }

    /** The parser's symbol table has its own limit, whose message mentions attacks and features. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Longest collision chain in symbol table (of size 300) now exceeds maximum, 100 -- suspect a DoS attack"
                        + " based on hash collisions",
                "Spill-over slots in symbol table with 300 entries, hash area of 1024 slots is now full (all 128 slots"
                        + " -- suspect a DoS attack based on hash collisions. You can disable the check via"
                        + " `JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW`"
            })
    void namesOfEqualHashAreDescribedWithoutInternals(String message) {
        assertThat(JsonText.message(parseException(message))).isEqualTo("too many member names with the same hash");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            Something odd: use `StreamReadFeature.ODD` for it    | something odd
            Odd thing (see `JsonReadFeature.ODD`) found          | odd thing
            Odd, too odd. Enable `JsonFactory.Feature.ODD`       | odd, too odd
            `StreamReadFeature.ODD` is off                       | malformed
            """)
    void unknownMessagesLoseTheNamesOfTheLibrary(String message, String expected) {
        assertThat(JsonText.message(parseException(message))).isEqualTo(expected);
    }

    private static JsonProcessingException parseException(String message) {
        return new JsonParseException(null, message);
    }

    private static JsonProcessingException refused(String json) {
        JsonFactory strict = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(5)
                        .maxStringLength(8)
                        .maxNameLength(8)
                        .maxNumberLength(8)
                        .build())
                .build();
        try (JsonParser parser = strict.createParser(json.getBytes(StandardCharsets.UTF_8))) {
            while (parser.nextToken() != null) {
                parser.getText();
            }
        } catch (JsonProcessingException e) {
            return e;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory", e);
        }
        throw new AssertionError("was read: " + json);
    }

    @Property
    void theOutcomeIsWellFormedAndOfTheSameLength(@ForAll String text) {
        assertThat(JsonText.isWellFormed(JsonText.wellFormed(text))).isTrue();
        assertThat(JsonText.wellFormed(text)).hasSameSizeAs(text);
    }
}
