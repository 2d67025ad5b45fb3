package io.plat.review.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON has one encoding: bytes are counted, copied and masked as UTF-8 before they are parsed. */
class JsonFactoriesTest {
    private static String names(JsonParser parser) throws IOException {
        var names = new StringBuilder();
        try (parser) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                names.append(token == JsonToken.FIELD_NAME ? parser.currentName() : "");
            }
        }
        return names.toString();
    }

    private static void assertRefused(byte[] bytes) {
        assertThatThrownBy(() -> names(JsonFactories.create().createParser(bytes)))
                .isInstanceOf(JsonParseException.class);
        assertThatThrownBy(() -> names(JsonFactories.builder().build().createParser(bytes, 0, bytes.length)))
                .isInstanceOf(JsonParseException.class);
        assertThatThrownBy(() -> names(JsonFactories.create().createParser(new ByteArrayInputStream(bytes))))
                .isInstanceOf(JsonParseException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE"})
    void otherEncodingsAreErrors(String encoding) {
        for (String text : List.of("{\"\u2200\":1}", "[1]", "\uFEFF{}")) {
            assertRefused(text.getBytes(Charset.forName(encoding)));
        }
    }

    @Test
    void aByteOrderMarkIsAnError() {
        assertRefused("\uFEFF{}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void utf8IsRead() throws IOException {
        byte[] bytes = "{\"\u2200\uD83D\uDE00\":1}".getBytes(StandardCharsets.UTF_8);
        assertThat(names(JsonFactories.create().createParser(bytes))).isEqualTo("\u2200\uD83D\uDE00");
        assertThat(names(JsonFactories.create().createParser(new ByteArrayInputStream(bytes))))
                .isEqualTo("\u2200\uD83D\uDE00");
    }

    /** The parser's buffer has 4,000 characters. */
    @Property(tries = 300)
    void bytesAndStreamsAreReadAlike(
            @ForAll @IntRange(max = 4010) int before, @ForAll @Size(max = 12) List<@From("pieces") byte[]> pieces)
            throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("{\"" + "x".repeat(before)).getBytes(StandardCharsets.UTF_8));
        pieces.forEach(bytes::writeBytes);
        bytes.writeBytes("\":1}".getBytes(StandardCharsets.UTF_8));
        byte[] text = bytes.toByteArray();

        assertThat(names(JsonFactories.create().createParser(text)))
                .isEqualTo(names(JsonFactories.create().createParser(new ByteArrayInputStream(text))));
        String strict;
        try {
            strict = names(JsonFactories.create().createParser(JsonFactories.utf8(text, text.length)));
        } catch (CharacterCodingException e) {
            strict = "malformed";
        }
        assertThat(strict)
                .isEqualTo(
                        isWellFormed(text)
                                ? new String(text, 2, text.length - 6, StandardCharsets.UTF_8)
                                : "malformed");
    }

    @Provide
    static Arbitrary<byte[]> pieces() {
        return Arbitraries.oneOf(
                Arbitraries.of("a", "\u00e9", "\u2200", "\uD83D\uDE00")
                        .map(text -> text.getBytes(StandardCharsets.UTF_8)),
                Arbitraries.integers().between(0x80, 0xff).map(unit -> new byte[] {unit.byteValue()}));
    }

    private static boolean isWellFormed(byte[] text) {
        return Arrays.equals(new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            \\ud83d                | \\ufffd
            \\uDC00\\udc00         | \\ufffd\\ufffd
            \\ud83d\\ud83d\\ude00   | \\ufffd\\ud83d\\ude00
            \\ud83dx\\ude00        | \\ufffdx\\ufffd
            \\ud83d\\n            | \\ufffd\\n
            \\\\ud83d               | \\\\ud83d
            \\\\\\ud83d             | \\\\\\ufffd
            \\u0041\\ud83d\\ude00   | \\u0041\\ud83d\\ude00
            """)
    void escapesOfUnpairedSurrogatesAreReplaced(String written, String read) throws IOException {
        // At every position in the parser's buffer.
        for (int before = 0; before < 4200; before += before > 20 && before < 3980 ? 97 : 1) {
            String name = "x".repeat(before);
            String expected = names(JsonFactories.create().createParser("{\"" + name + read + "\":1}"));
            String text = "{\"" + name + written + "\":1}";
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThat(names(JsonFactories.create().createParser(text))).isEqualTo(expected);
            assertThat(names(JsonFactories.create().createParser(bytes))).isEqualTo(expected);
            assertThat(names(JsonFactories.create().createParser(new OneByOne(bytes))))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"\\ud83d", "{\"\\ud8", "{\"\\u", "{\"\\", "{\"\\ud83d\\", "{\"\\ud83d\\ude"})
    void aTextThatEndsWithinAnEscapeIsAnError(String text) {
        assertRefused(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Forwards one byte at a time. */
    private static final class OneByOne extends ByteArrayInputStream {
        OneByOne(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int read(byte[] into, int from, int length) {
            return super.read(into, from, Math.min(1, length));
        }
    }
}
