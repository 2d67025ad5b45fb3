package io.plat.apiserver.representation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streaming indentation, compared with a parser and a generator. */
class IndentedJsonTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static final DefaultPrettyPrinter PRINTER = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                    .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));

    private static byte[] expected(byte[] json) throws IOException {
        return JSON.writer(PRINTER).writeValueAsBytes(JSON.readTree(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "1",
                "\"a\"",
                "null",
                "[[],{},[[]],[{}]]",
                "{\"a\":{},\"b\":[],\"c\":[1,-2.5,true,null],\"d\":{\"e\":{\"f\":\"\"}}}",
                "{\"a{}[]:,\\\\\":\"\\\"{,:}\\\\\\\"\",\"\u00e4\":\"\\\\\"}",
                " { \"a\" : [ 1 , { } ] }\n"
            })
    void everyValueIsOnItsOwnLine(String json) throws IOException {
        assertThat(new String(IndentedJson.of(json.getBytes(UTF_8)), UTF_8))
                .isEqualTo(new String(expected(json.getBytes(UTF_8)), UTF_8));
    }

    /** Wherever a chunk ends: in a string, after a backslash, between a brace and its content. */
    @Test
    void resultDoesNotDependOnChunkSizes() throws IOException {
        var random = new Random(7);
        for (int round = 0; round < 300; round++) {
            byte[] json = value(random, 5).getBytes(UTF_8);
            var out = new ByteArrayOutputStream();
            IndentedJson.write(target -> pieces(random, json, target), out);
            assertThat(out.toString(UTF_8)).isEqualTo(new String(expected(json), UTF_8));
        }
    }

    private static void pieces(Random random, byte[] json, OutputStream target) throws IOException {
        for (int at = 0; at < json.length; ) {
            int part = Math.min(1 + random.nextInt(40), json.length - at);
            if (part == 1) {
                target.write(json[at]);
            } else {
                target.write(json, at, part);
            }
            at += part;
        }
    }

    private static String value(Random random, int depth) {
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(5);
        switch (random.nextInt(depth == 0 ? 2 : 4)) {
            case 0 -> text.append(random.nextInt());
            case 1 -> text.append(quoted(random));
            case 2 -> {
                text.append('[');
                for (int i = 0; i < count; i++) {
                    text.append(i == 0 ? "" : ",").append(value(random, depth - 1));
                }
                text.append(']');
            }
            default -> {
                text.append('{');
                for (int i = 0; i < count; i++) {
                    text.append(i == 0 ? "\"" : ",\"").append(i).append("\":").append(value(random, depth - 1));
                }
                text.append('}');
            }
        }
        return text.toString();
    }

    private static String quoted(Random random) {
        String[] parts = {"a", "\\\\", "\\\"", "{", "}", "[", "]", ",", ":", "\u00e4", " ", "x".repeat(9000)};
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.append('"').toString();
    }
}
