package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plat.apiserver.memory.BoundedOutput;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Input repeated in errors, and limits of the output. */
class MalformedTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "`` | \"\"",
                "a b | \"a b\"",
                "a\"b\\c | \"a\\\"b\\\\c\"",
                "a\tb\u0000c\u007fd | \"a?b?c?d\"",
                "käse | \"käse\"",
                "\uD83D\uDE00 | \"??\"",
            })
    void valuesAreQuotedOnOneLine(String value, String shown) {
        assertThat(MalformedInput.quoted(value)).isEqualTo(shown);
    }

    @Test
    void longValuesAreTruncated() {
        assertThat(MalformedInput.quoted("x".repeat(64))).isEqualTo("\"" + "x".repeat(64) + "\"");
        assertThat(MalformedInput.quoted("x".repeat(65))).isEqualTo("\"" + "x".repeat(64) + "...\"");
    }

    @Test
    void outputEndsAtItsLimit() throws IOException {
        try (var out = new BoundedOutput(1, 100)) {
            for (int i = 0; i < 60; i++) {
                out.write(i);
            }
            out.write(new byte[40], 0, 40);
            assertThat(out.toByteArray()).hasSize(100).startsWith(0, 1, 2).endsWith(0, 0);
            assertThat(catchThrowable(() -> out.write(1))).isInstanceOf(BoundedOutput.TooLargeException.class);
            assertThat(out.toByteArray()).hasSize(100);
        }
    }
}
